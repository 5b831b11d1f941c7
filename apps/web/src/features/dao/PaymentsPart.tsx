import type { PoolAccount, PoolPaymentState } from '@lode/wire'
import { errorText, useChain } from '../../shared/api/index.ts'
import { formatMoment, placesOf } from '../../shared/format/index.ts'
import { useLanguage, useText } from '../../shared/i18n/index.ts'
import {
  Address,
  Amount,
  ListEnd,
  LoadingStatus,
  listEnd,
  NotLoaded,
  OldNote,
  Pill,
  Skeleton,
  StateNote,
  TransactionLink,
} from '../../shared/ui/index.ts'
import styles from './dao.module.css'
import type { PoolPayment, usePoolPayments } from './use-dao.ts'

const tones = { waiting: 'lode', sent: 'sky', paid: 'jade', returned: 'neutral' } as const satisfies Record<
  PoolPaymentState,
  string
>

/** The names of the texts: a colon means something else in those. */
const accounts = {
  'pool:mining': 'miningFund',
  'pool:liquidity': 'liquidity',
  'pool:operations': 'operations',
  'reserve:liquidity': 'liquidityReserve',
  'reserve:mining': 'miningReserve',
} as const satisfies Record<PoolAccount, string>

/** What the pool's own accounts have paid out, for everybody to see. */
export function PaymentsPart({ list }: { list: ReturnType<typeof usePoolPayments> }) {
  const t = useText()
  const payments = list.data?.pages.flatMap(({ items }) => items)
  return (
    <>
      <p className={styles.intro}>{t('dao.paymentsText')}</p>
      <OldNote since={list.isRefetchError && !list.isFetchNextPageError ? list.dataUpdatedAt : null} />
      {!payments && (list.isPaused || list.error) ? (
        <NotLoaded
          title={t('dao.paymentsFailed')}
          reason={list.error && errorText(t, list.error)}
          offline={list.isPaused ? t('dao.paymentsOffline') : null}
          busy={list.isFetching}
          onRetry={list.refetch}
        />
      ) : payments?.length === 0 ? (
        <StateNote title={t('common.list.empty')} text={t('dao.noPayments')} />
      ) : (
        <>
          {!payments && <LoadingStatus />}
          <ol className={styles.list} aria-hidden={!payments}>
            {payments
              ? payments.map((payment) => <PaymentLine key={payment.id} payment={payment} />)
              : [1, 2, 3].map((place) => <WaitingLine key={place} />)}
          </ol>
          {payments && <ListEnd state={listEnd(list)} onMore={() => void list.fetchNextPage()} />}
        </>
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
      <div className={styles.pair}>
        <p className={styles.purpose}>{payment.purpose}</p>
        <p className={styles.amount}>
          <Amount value={payment.amount} symbol={symbol} places={placesOf[symbol]} />
        </p>
      </div>
      <div className={styles.pair}>
        <time className={styles.small} dateTime={payment.paidAt ?? payment.at}>
          {formatMoment(payment.paidAt ?? payment.at, language)}
        </time>
        <Pill tone={tones[payment.state]}>{t(`dao.paymentStates.${payment.state}`)}</Pill>
      </div>
      <p className={styles.small}>
        {t('dao.paidFrom', { account: t(`dao.accounts.${accounts[payment.from]}`) })} {t('dao.paidTo')}{' '}
        <Address value={payment.address} />
      </p>
      {payment.tx && chain && <TransactionLink hash={payment.tx} explorerUrl={chain.explorerUrl} />}
    </li>
  )
}

function WaitingLine() {
  return (
    <li className={styles.line}>
      <div className={styles.pair}>
        <p className={styles.purpose}>
          <Skeleton>Computing power</Skeleton>
        </p>
        <p className={styles.amount}>
          <Skeleton>0,000.00 USDT</Skeleton>
        </p>
      </div>
      <p className={styles.small}>
        <Skeleton>00 Aaa 0000, 00:00</Skeleton>
      </p>
    </li>
  )
}
