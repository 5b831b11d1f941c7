import { type ComponentType, lazy, Suspense, useEffect, useState } from 'react'
import { DepositSheet, useDepositSheet } from '../features/deposit/index.ts'
import { useOrderSheet } from '../features/order/index.ts'
import { loadTextsOfMembers, useText } from '../shared/i18n/index.ts'
import { showMessage } from '../shared/notify/index.ts'
import { lazyPart } from '../shared/parts/index.ts'
import { PAYMENT_KEYS, storage, useSession } from '../shared/session/index.ts'
import { ErrorBoundary } from './ErrorBoundary.tsx'

/** Without it payments go on all the same: the chain and the pool do not need this page. */
const PendingTray = lazy<ComponentType>(() =>
  Promise.all([import('./PendingTray.tsx'), loadTextsOfMembers()]).then(
    ([module]) => ({ default: module.PendingTray }),
    () => ({ default: () => null }),
  ),
)

const Orders = lazyPart(async () => (await import('./Orders.tsx')).Orders)

/**
 * Payments, on every page: the tray with those that are under way, and the sheets in which they are made. Loaded only once
 * there is something to show, and then kept, also when the session ends: a payment that was begun is not lost from sight.
 */
export function Payments() {
  const account = useSession((session) => session.account)
  const isSheetUsed = useDepositSheet(({ about }) => about !== null)
  const isOrderUsed = useOrderSheet(({ id }) => id !== null)
  const [needed, setNeeded] = useState(false)
  if (!needed && (isSheetUsed || isOrderUsed || (account !== null && hasStored(account)))) setNeeded(true)
  if (!needed) return null
  return (
    <ErrorBoundary fallback={<Failed />}>
      <Suspense fallback={null}>
        <PendingTray />
        {isSheetUsed && <DepositSheet />}
        {isOrderUsed && <Orders />}
      </Suspense>
    </ErrorBoundary>
  )
}

/** Takes no room: the page that is shown stays, and says it. */
function Failed() {
  const t = useText()
  useEffect(() => showMessage({ tone: 'error', text: t('shell.failed.text') }), [t])
  return null
}

const hasStored = (account: string): boolean =>
  storage.keys().some((key) => key.startsWith(PAYMENT_KEYS) && key.includes(account.toLowerCase()))
