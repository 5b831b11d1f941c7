import { type ComponentType, lazy, Suspense, useEffect, useState } from 'react'
import { DepositSheet, useDepositSheet } from '../features/deposit/index.ts'
import { useOrderSheet } from '../features/order/index.ts'
import { loadTextsOfMembers, useText } from '../shared/i18n/index.ts'
import { showMessage } from '../shared/notify/index.ts'
import { lazyPart } from '../shared/parts/index.ts'
import { PAYMENT_KEYS, storage, useSession } from '../shared/session/index.ts'
import { ErrorBoundary } from './ErrorBoundary.tsx'

/** If it cannot be loaded, payments continue anyway: the chain and the pool do not need this page. */
const PendingTray = lazy<ComponentType>(() =>
  Promise.all([import('./PendingTray.tsx'), loadTextsOfMembers()]).then(
    ([module]) => ({ default: module.PendingTray }),
    () => ({ default: () => null }),
  ),
)

const Orders = lazyPart(async () => (await import('./Orders.tsx')).Orders)

/**
 * Payments on every page: the tray with those under way, and the sheets for new ones. Loaded only once there is
 * something to show. Then it stays, even when the session ends, so that a started payment remains visible.
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

/** Draws nothing. The current page stays, and a message reports the failure. */
function Failed() {
  const t = useText()
  useEffect(() => showMessage({ tone: 'error', text: t('shell.failed.text') }), [t])
  return null
}

const hasStored = (account: string): boolean =>
  storage.keys().some((key) => key.startsWith(PAYMENT_KEYS) && key.includes(account.toLowerCase()))
