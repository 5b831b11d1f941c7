import { ChevronRight, CircleAlert, CircleCheck, CircleHelp, X } from 'lucide-react'
import { dismissPayment, isEnded, type Payment, type Stage } from '../chain/payment/index.ts'
import { paymentName, stageText } from '../features/payment/index.ts'
import { useText } from '../shared/i18n/index.ts'
import { IconButton } from '../shared/ui/index.ts'
import styles from './PendingTray.module.css'

/** One payment, with a button that opens it and, once it has ended, one that removes it from the list. */
export function TrayLine({ payment, onOpen }: { payment: Payment; onOpen: () => void }) {
  const t = useText()
  const name = paymentName(t, payment.intent)
  return (
    <div className={styles.one}>
      <button type="button" className={styles.line} onClick={onOpen}>
        <StageIcon stage={payment.stage} />
        <span className={styles.words}>
          <span className={styles.name} data-long={name.length > 22 ? '' : undefined}>
            {name}
          </span>
          <span className={styles.status}>{stageText(t, payment)}</span>
        </span>
        {!isEnded(payment) && <ChevronRight size={18} aria-hidden="true" />}
      </button>
      {isEnded(payment) && (
        <IconButton
          label={`${t('payment.tray.dismiss')}: ${name}`}
          icon={<X size={18} />}
          onClick={() => dismissPayment(payment.intent.id)}
        />
      )}
    </div>
  )
}

export function StageIcon({ stage }: { stage: Stage }) {
  switch (stage.at) {
    case 'credited':
      return <CircleCheck className={styles.credited} size={18} aria-hidden="true" />
    case 'failed':
    case 'lapsed':
      return <CircleAlert className={styles.failed} size={18} aria-hidden="true" />
    case 'paused':
    case 'unknown':
      return <CircleHelp className={styles.waiting} size={18} aria-hidden="true" />
    default:
      return <span className={styles.running} aria-hidden="true" />
  }
}
