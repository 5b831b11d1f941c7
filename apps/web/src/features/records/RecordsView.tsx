import { ArrowUpRight, ChevronRight } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { Link } from 'react-router'
import { useText } from '../../shared/i18n/index.ts'
import { useBack, type ViewProps } from '../../shared/routing/index.ts'
import { RefreshButton, Segmented, TopBar, View } from '../../shared/ui/index.ts'
import { OrderFilter, OrderList } from './OrderList.tsx'
import { PaymentList } from './PaymentList.tsx'
import styles from './records.module.css'
import { type OrderFilters, useOrders, usePayments } from './use-records.ts'

const shows = ['orders', 'payments'] as const
type Show = (typeof shows)[number]

/** What was ordered, and what was paid for it. */
export function RecordsView({ query }: ViewProps) {
  const [show, setShow] = useState<Show>(query.show === 'payments' ? 'payments' : 'orders')
  const tabs = <Tabs show={show} onShow={setShow} />
  return show === 'orders' ? <Orders tabs={tabs} /> : <Payments tabs={tabs} />
}

function Orders({ tabs }: { tabs: ReactNode }) {
  const [filters, setFilters] = useState<OrderFilters>({ type: '1' })
  const orders = useOrders(filters)
  return (
    <Screen tabs={tabs} onRefresh={() => orders.list.refetch()}>
      <OrderList orders={orders} filtered={filters.status !== undefined}>
        <OrderFilter filters={filters} onFilters={setFilters} />
      </OrderList>
    </Screen>
  )
}

function Payments({ tabs }: { tabs: ReactNode }) {
  const payments = usePayments()
  return (
    <Screen tabs={tabs} onRefresh={() => payments.list.refetch()}>
      <PaymentList payments={payments} />
    </Screen>
  )
}

type ScreenProps = { tabs: ReactNode; onRefresh: () => Promise<unknown>; children: ReactNode }

function Screen({ tabs, onRefresh, children }: ScreenProps) {
  const t = useText()
  const back = useBack('/setting')
  return (
    <View
      onRefresh={onRefresh}
      top={<TopBar title={t('shell.titles.records')} onBack={back} end={<RefreshButton onRefresh={onRefresh} />} />}
    >
      {tabs}
      {children}
      <TransfersLink />
    </View>
  )
}

function Tabs({ show, onShow }: { show: Show; onShow: (show: Show) => void }) {
  const t = useText()
  return (
    <Segmented
      labelHidden
      label={t('records.show')}
      value={show}
      options={shows.map((value) => ({ value, text: t(`records.${value}`) }))}
      onValue={onShow}
    />
  )
}

/** Transfers out are orders too, and have their own page. */
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
