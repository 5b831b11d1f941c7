import { ArrowUpRight, ChevronRight } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'react-router'
import { useText } from '../../shared/i18n/index.ts'
import type { ViewProps } from '../../shared/routing/index.ts'
import { TabbedView, type Tabs } from '../../shared/ui/index.ts'
import { OrderFilter, OrderList } from './OrderList.tsx'
import { PaymentList } from './PaymentList.tsx'
import styles from './records.module.css'
import { type OrderFilters, useOrderRecords, usePaymentRecords } from './use-records.ts'

const recordsTabs = ['orders', 'payments'] as const
type RecordsTab = (typeof recordsTabs)[number]

/** The member's orders and payments. */
export function RecordsView({ query }: ViewProps) {
  const [show, setShow] = useState<RecordsTab>(query.show === 'payments' ? 'payments' : 'orders')
  const t = useText()
  const screenProps = {
    title: t('shell.titles.records'),
    above: '/setting',
    tabs: {
      label: t('records.show'),
      value: show,
      options: recordsTabs.map((value) => ({ value, text: t(`records.${value}`) })),
      onValue: setShow,
    },
  }
  return show === 'orders' ? <OrdersScreen {...screenProps} /> : <PaymentsScreen {...screenProps} />
}

type RecordsScreenProps = { title: string; above: string; tabs: Tabs<RecordsTab> }

function OrdersScreen(props: RecordsScreenProps) {
  const [filters, setFilters] = useState<OrderFilters>({ type: '1' })
  const orders = useOrderRecords(filters)
  return (
    <TabbedView {...props} onRefresh={() => orders.list.refetch()}>
      <OrderList orders={orders} filtered={filters.status !== undefined}>
        <OrderFilter filters={filters} onFilters={setFilters} />
      </OrderList>
      <TransfersLink />
    </TabbedView>
  )
}

function PaymentsScreen(props: RecordsScreenProps) {
  const payments = usePaymentRecords()
  return (
    <TabbedView {...props} onRefresh={() => payments.list.refetch()}>
      <PaymentList payments={payments} />
      <TransfersLink />
    </TabbedView>
  )
}

/** A transfer out is an order too, but has its own page. */
function TransfersLink() {
  const t = useText()
  return (
    <Link to="/setting/transfer?show=records" className={styles.link}>
      <ArrowUpRight size={20} aria-hidden="true" />
      <span className={styles.linkWords}>{t('records.transfers')}</span>
      <ChevronRight size={18} aria-hidden="true" />
    </Link>
  )
}
