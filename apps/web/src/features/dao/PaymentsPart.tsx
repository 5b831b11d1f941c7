import type { PoolAccount, PoolPaymentState } from '@lode/wire'
import { useChain } from '../../shared/api/index.ts'
import { formatMoment, placesOf } from '../../shared/format/index.ts'
import { useLanguage, useText } from '../../shared/i18n/index.ts'
import { PagedList } from '../../shared/list/index.ts'
import { Address, Amount, Pair, Pill, Skeleton, TransactionLink } from '../../shared/ui/index.ts'
import styles from './dao.module.css'
import type { PoolPayment, usePoolPayments } from './use-dao.ts'

const tones = { waiting: 'lode', sent: 'sky', paid: 'jade', returned: 'neutral' } as const satisfies Record<
  PoolPaymentState,
  string
>

/** The text keys of the pool accounts. In a text key a colon has another meaning. */
const accountTextKeys = {
  'pool:mining': 'miningFund',
  'pool:liquidity': 'liquidity',
  'pool:operations': 'operations',
  'reserve:liquidity': 'liquidityReserve',
  'reserve:mining': 'miningReserve',
} as const satisfies Record<PoolAccount, string>

/** The public list of treasury payments. */
export function PaymentsPart({ list }: { list: ReturnType<typeof usePoolPayments> }) {
  const t = useText()
  const payments = list.data?.pages.flatMap(({ items }) => items)
  return (
    <>
      <p className={styles.intro}>{t('dao.paymentsText')}</p>
      <PagedList
        list={list}
        items={payments}
        texts={{ failed: t('dao.paymentsFailed'), offline: t('dao.paymentsOffline'), empty: t('dao.noPayments') }}
        waiting={3}
        line={(payment, index) =>
          payment ? <PaymentLine key={payment.id} payment={payment} /> : <PaymentLineSkeleton key={index} />
        }
      />
    </>
  )
}

function PaymentLine({ payment }: { payment: PoolPayment }) {
  const t = useText()
  const language = useLanguage()
  const { data: chain } = useChain()
  const { symbol } = payment
  return (
    <li className={styles.line}>
      <Pair>
        <p className={styles.purpose}>{payment.purpose}</p>
        <p className={styles.amount}>
          <Amount value={payment.amount} symbol={symbol} places={placesOf[symbol]} />
        </p>
      </Pair>
      <Pair>
        <time className={styles.small} dateTime={payment.paidAt ?? payment.at}>
          {formatMoment(payment.paidAt ?? payment.at, language)}
        </time>
        <Pill tone={tones[payment.state]}>{t(`dao.paymentStates.${payment.state}`)}</Pill>
      </Pair>
      <p className={styles.small}>
        {t('dao.paidFrom', { account: t(`dao.accounts.${accountTextKeys[payment.from]}`) })} {t('dao.paidTo')}{' '}
        <Address value={payment.address} />
      </p>
      {payment.tx && chain && <TransactionLink hash={payment.tx} explorerUrl={chain.explorerUrl} />}
    </li>
  )
}

function PaymentLineSkeleton() {
  return (
    <li className={styles.line}>
      <Pair>
        <p className={styles.purpose}>
          <Skeleton>Computing power</Skeleton>
        </p>
        <p className={styles.amount}>
          <Skeleton>0,000.00 USDT</Skeleton>
        </p>
      </Pair>
      <p className={styles.small}>
        <Skeleton>00 Aaa 0000, 00:00</Skeleton>
      </p>
    </li>
  )
}
