import type { PoolAccount, PoolPaymentState } from '@lode/wire'
import { useChain } from '../../shared/api/index.ts'
import { formatAmount, formatMoment, placesOf } from '../../shared/format/index.ts'
import { useLanguage, useText } from '../../shared/i18n/index.ts'
import { PagedList } from '../../shared/list/index.ts'
import { Address, Amount, Note, Pair, Pill, Skeleton, TransactionLink } from '../../shared/ui/index.ts'
import styles from './dao.module.css'
import type { PoolLosses, PoolPayment, usePoolPayments } from './use-dao.ts'

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
  const losses = list.data?.pages[0]
  return (
    <>
      <p className={styles.intro}>{t('dao.paymentsText')}</p>
      {losses && <Losses losses={losses} />}
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

/** What is missing, and what the operators decided about it. Empty for a pool that never lost anything. */
function Losses({ losses: { missing, corrections } }: { losses: PoolLosses }) {
  const t = useText()
  const language = useLanguage()
  return (
    <>
      {missing.map(({ symbol, amount }) => (
        <Note key={symbol} tone="rose">
          {t('dao.missing', { amount: formatAmount(amount, placesOf[symbol]), symbol })}
        </Note>
      ))}
      {corrections.length > 0 && (
        <ul>
          {corrections.map(({ id, kind, symbol, amount, purpose, at }) => (
            <li key={id} className={styles.line}>
              <Pair>
                <p className={styles.purpose}>{purpose}</p>
                <p className={styles.amount}>
                  <Amount value={amount} symbol={symbol} places={placesOf[symbol]} />
                </p>
              </Pair>
              <Pair>
                <time className={styles.small} dateTime={at}>
                  {formatMoment(at, language)}
                </time>
                <Pill tone={kind === 'fund' ? 'jade' : 'rose'}>{t(`dao.corrections.${kind}`)}</Pill>
              </Pair>
            </li>
          ))}
        </ul>
      )}
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
        <Address value={payment.address} full />
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
