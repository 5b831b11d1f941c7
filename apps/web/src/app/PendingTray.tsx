import { ChevronRight } from 'lucide-react'
import { Suspense, useEffect, useState } from 'react'
import { followPayments, isEnded, type Payment, usePayments } from '../chain/payment/index.ts'
import { openPayment } from '../features/deposit/index.ts'
import { setOrdersInBlock, showOrder } from '../features/order/index.ts'
import { paymentName, stageText } from '../features/payment/index.ts'
import { useText } from '../shared/i18n/index.ts'
import { lazyComponent } from '../shared/parts/index.ts'
import styles from './PendingTray.module.css'
import { StageIcon, TrayLine } from './TrayLine.tsx'

/** Loaded on demand, because most members have one payment at a time. */
const TrayList = lazyComponent(async () => (await import('./TrayList.tsx')).TrayList)

/** Opens the sheet of the payment's order, or of the deposit. */
function openPaymentSheet({ intent: { id, purpose } }: Payment): void {
  if (purpose.kind === 'order') showOrder(purpose.id)
  else openPayment(id)
}

/** The order that the payment pays, if the payment is in a block. */
const orderInBlock = ({ intent: { purpose }, stage: { at } }: Payment): string[] =>
  purpose.kind === 'order' && (at === 'mined' || at === 'confirming' || at === 'credited') ? [purpose.id] : []

/** A line at the top of every page for payments that are under way, or that ended and were not removed. */
export function PendingTray() {
  useEffect(followPayments, [])
  const t = useText()
  const followed = usePayments((state) => state.payments)
  const payments = followed.filter(({ aside }) => !aside)
  useEffect(() => setOrdersInBlock(followed.flatMap(orderInBlock)), [followed])
  const [isListOpen, setListOpen] = useState(false)
  const [first] = payments
  const running = payments.filter((one) => !isEnded(one))

  return (
    <>
      <p className="visually-hidden" role="status">
        {first && `${paymentName(t, first.intent)}: ${stageText(t, first)}`}
      </p>
      {first && (
        <section aria-label={t('payment.tray.label')} className={styles.tray}>
          {payments.length === 1 ? (
            <TrayLine payment={first} onOpen={() => openPaymentSheet(first)} />
          ) : (
            <button type="button" className={styles.line} onClick={() => setListOpen(true)}>
              <StageIcon stage={(running[0] ?? first).stage} />
              <span className={styles.words}>
                {running.length > 0
                  ? t('payment.tray.many', { count: payments.length, running: running.length })
                  : t('payment.tray.manyEnded', { count: payments.length })}
              </span>
              <span className={styles.badge} aria-hidden="true">
                {payments.length}
              </span>
              <ChevronRight size={18} aria-hidden="true" />
            </button>
          )}
        </section>
      )}
      {isListOpen && payments.length > 1 && (
        <Suspense fallback={null}>
          <TrayList onClose={() => setListOpen(false)}>
            {payments.map((one) => (
              <li key={one.intent.id}>
                <TrayLine
                  payment={one}
                  onOpen={() => {
                    setListOpen(false)
                    openPaymentSheet(one)
                  }}
                />
              </li>
            ))}
          </TrayList>
        </Suspense>
      )}
    </>
  )
}
