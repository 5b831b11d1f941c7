import type { PaymentState } from '@lode/wire'
import { useChain } from '../../shared/api/index.ts'
import { formatMoment, placesOf } from '../../shared/format/index.ts'
import { useLanguage, useText } from '../../shared/i18n/index.ts'
import { Amount, Pair, Pill, TransactionLink } from '../../shared/ui/index.ts'
import { PaymentMethodText } from './PaymentMethodText.tsx'
import { RecordList } from './RecordList.tsx'
import { recordName } from './record-name.ts'
import styles from './records.module.css'
import type { OrderPaymentRecord, usePaymentRecords } from './use-records.ts'

const tones = { sent: 'sky', confirming: 'sky', confirmed: 'jade', credited: 'neutral' } as const satisfies Record<
  PaymentState,
  string
>

export function PaymentList({ payments }: { payments: ReturnType<typeof usePaymentRecords> }) {
  const t = useText()
  return (
    <RecordList
      records={payments}
      names={{ total: t('records.totalPayments'), successes: t('records.successfulPayments') }}
      texts={{
        failed: t('records.paymentsFailed'),
        offline: t('records.paymentsOffline'),
        empty: t('records.noPayments'),
      }}
      line={(payment) => <PaymentLine key={payment.orderId} payment={payment} />}
    />
  )
}

function PaymentLine({ payment }: { payment: OrderPaymentRecord }) {
  const t = useText()
  const language = useLanguage()
  const { data: chain } = useChain()
  const { symbol } = payment
  return (
    <li className={styles.line}>
      <Pair>
        <p className={styles.name}>{recordName(t, payment)}</p>
        <p className={styles.amount}>
          <Amount value={payment.amount} symbol={symbol} places={placesOf[symbol]} />
        </p>
      </Pair>
      <Pair>
        <time className={styles.small} dateTime={payment.at}>
          {formatMoment(payment.at, language)}
        </time>
        <Pill tone={tones[payment.state]}>{t(`records.paymentStates.${payment.state}`)}</Pill>
      </Pair>
      <PaymentMethodText record={payment} />
      {payment.state === 'credited' && <p className={styles.said}>{t('records.creditedText')}</p>}
      {payment.tx && chain && <TransactionLink hash={payment.tx} explorerUrl={chain.explorerUrl} />}
    </li>
  )
}
