import { type ComponentType, lazy, Suspense, useEffect, useState } from 'react'
import { DepositSheet, useDepositSheet } from '../features/deposit/index.ts'
import { useOrderSheet } from '../features/order/index.ts'
import { loadMemberTexts, useText } from '../shared/i18n/index.ts'
import { showMessage } from '../shared/notify/index.ts'
import { ErrorBoundary, lazyComponent } from '../shared/parts/index.ts'
import { PAYMENT_KEY_PREFIX, storage, useSession } from '../shared/session/index.ts'

/** If the tray cannot be loaded, payments that were sent still arrive: the chain and the pool do not need this page. */
const PendingTray = lazy<ComponentType>(() =>
  Promise.all([import('./PendingTray.tsx'), loadMemberTexts()]).then(
    ([module]) => ({ default: module.PendingTray }),
    () => ({ default: () => null }),
  ),
)

const Orders = lazyComponent(async () => (await import('./Orders.tsx')).Orders)

/**
 * The tray of payments and the sheets for new ones, on every page. They load only once there is something to show. Then
 * they stay, even when the session ends, so that a started payment remains visible.
 */
export function Payments() {
  const account = useSession((session) => session.account)
  const isDepositUsed = useDepositSheet(({ subject }) => subject !== null)
  const isOrderUsed = useOrderSheet(({ id }) => id !== null)
  const [needed, setNeeded] = useState(false)
  if (!needed && (isDepositUsed || isOrderUsed || (account !== null && hasStoredPayments(account)))) setNeeded(true)
  if (!needed) return null
  return (
    <ErrorBoundary fallback={<LoadFailure />}>
      <Suspense fallback={null}>
        <PendingTray />
        {isDepositUsed && <DepositSheet />}
        {isOrderUsed && <Orders />}
      </Suspense>
    </ErrorBoundary>
  )
}

/** Draws nothing. The current page stays, and a message reports the failure. */
function LoadFailure() {
  const t = useText()
  useEffect(() => showMessage({ tone: 'error', text: t('shell.failed.text') }), [t])
  return null
}

const hasStoredPayments = (account: string): boolean =>
  storage.keys().some((key) => key.startsWith(PAYMENT_KEY_PREFIX) && key.includes(account.toLowerCase()))
