import { orderTypes, paymentMethods } from '@lode/wire'
import { ChevronRight } from 'lucide-react'
import type { ReactNode } from 'react'
import { useChain } from '../../shared/api/index.ts'
import { useNow } from '../../shared/clock/index.ts'
import { formatMoment, formatRecent, placesOf } from '../../shared/format/index.ts'
import { useLanguage, useText } from '../../shared/i18n/index.ts'
import { Amount, Pair, Select, TransactionLink } from '../../shared/ui/index.ts'
import {
  closingText,
  failureText,
  hasPaymentArrived,
  OrderPill,
  type PayableOrder,
  partsText,
  showOrder,
} from '../order/index.ts'
import { PaymentMethodText } from './PaymentMethodText.tsx'
import { RecordList } from './RecordList.tsx'
import { recordName } from './record-name.ts'
import styles from './records.module.css'
import { type OrderFilters, payableTypes, type useOrderRecords } from './use-records.ts'

type OrderListProps = { orders: ReturnType<typeof useOrderRecords>; filtered: boolean; children: ReactNode }

export function OrderList({ orders, filtered, children }: OrderListProps) {
  const t = useText()
  return (
    <RecordList
      records={orders}
      names={{ total: t('records.totalOrders'), successes: t('records.successfulOrders') }}
      texts={{
        failed: t('records.ordersFailed'),
        offline: t('records.ordersOffline'),
        empty: filtered ? t('records.noMatch') : t('records.noOrders'),
      }}
      filter={children}
      line={(order) => <OrderLine key={order.id} order={order} />}
    />
  )
}

function OrderLine({ order }: { order: PayableOrder }) {
  const t = useText()
  const language = useLanguage()
  const { data: chain } = useChain()
  const { symbol, state } = order
  return (
    <li className={styles.line} data-state={state}>
      <Pair>
        <p className={styles.name}>{recordName(t, order)}</p>
        <p className={styles.amount}>
          <Amount value={order.amount} symbol={symbol} places={placesOf[symbol]} />
        </p>
      </Pair>
      <Pair>
        <time className={styles.small} dateTime={order.createdAt}>
          {formatMoment(order.createdAt, language)}
        </time>
        <OrderPill order={order} />
      </Pair>
      {order.method === paymentMethods.online && !hasPaymentArrived(order) ? (
        <p className={styles.small}>{partsText(t, order)}</p>
      ) : (
        <PaymentMethodText record={order} />
      )}
      <OrderLineNote order={order} />
      {order.tx && chain && <TransactionLink hash={order.tx} explorerUrl={chain.explorerUrl} />}
      <button type="button" className={styles.open} onClick={() => showOrder(order.id)}>
        {state === 'paying' ? t('records.goOn') : t('records.open')}
        <ChevronRight size={16} aria-hidden="true" />
      </button>
    </li>
  )
}

/** A note for an order that has not succeeded, or whose airdrop the reserve could not pay. */
function OrderLineNote({ order }: { order: PayableOrder }) {
  const t = useText()
  const language = useLanguage()
  const now = useNow(10_000)
  const words = noteText()
  return words && <p className={styles.said}>{words}</p>

  function noteText(): string | null {
    switch (order.state) {
      case 'paying':
        return order.deadline && t('records.payableUntil', { time: formatRecent(order.deadline, now, language) })
      case 'closing':
        return closingText(t, order, now, language)
      case 'confirming':
        return t('records.confirming')
      case 'failed':
        return order.failure && failureText(t, order, order.failure)
      case 'success':
        return order.type === orderTypes.promotion && order.airdrop.paid === false ? t('records.airdropEmpty') : null
    }
  }
}

const ALL = ''
/** In the order that members expect: to be paid, under way, succeeded, failed. */
const statuses = [
  { value: '2', state: 'paying' },
  { value: '3', state: 'confirming' },
  { value: '1', state: 'success' },
  { value: '0', state: 'failed' },
] as const

type OrderFilterProps = { filters: OrderFilters; onFilters: (filters: OrderFilters) => void }

export function OrderFilter({ filters, onFilters }: OrderFilterProps) {
  const t = useText()
  const { type, status } = filters
  return (
    <div className={styles.filters}>
      <Select
        label={t('records.kindFilter')}
        value={type}
        options={payableTypes.map((value) => ({ value, text: t(`records.kinds.${value}`) }))}
        onValue={(chosen) => onFilters({ ...filters, type: chosen })}
      />
      <Select
        label={t('records.statusFilter')}
        value={status ?? ALL}
        options={[
          { value: ALL, text: t('records.allStatuses') },
          ...statuses.map(({ value, state }) => ({ value, text: t(`order.states.${state}`) })),
        ]}
        onValue={(chosen) => onFilters({ type, ...(chosen !== ALL && { status: chosen }) })}
      />
    </div>
  )
}
