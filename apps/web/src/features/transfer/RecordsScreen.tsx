import { type Asset, assets } from '@lode/kernel'
import type { RequestOf } from '@lode/wire'
import { useInfiniteQuery } from '@tanstack/react-query'
import { ArrowUpRight } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'react-router'
import { readPages } from '../../shared/api/index.ts'
import { formatMoment, placesOf } from '../../shared/format/index.ts'
import { useLanguage, useText } from '../../shared/i18n/index.ts'
import { PagedList } from '../../shared/list/index.ts'
import { useBack } from '../../shared/routing/index.ts'
import { Amount, RefreshButton, Select, Skeleton, TopBar, View } from '../../shared/ui/index.ts'
import { type TransferOrder, transfersIn } from './intent.ts'
import { FORM, recordOf } from './paths.ts'
import { isEnded } from './progress.ts'
import { StandingPill } from './StandingPill.tsx'
import styles from './transfer.module.css'

type Filters = Pick<RequestOf<'order/list'>, 'symbol' | 'status'>

/**
 * Automatic refresh, only while one page is loaded and something on it is under way. Further pages are read again on
 * demand.
 */
const REFRESH_MS = 5_000

/** All transfers, newest first. */
export function RecordsScreen() {
  const t = useText()
  const back = useBack(FORM)
  const [filters, setFilters] = useState<Filters>({})
  const list = useInfiniteQuery({
    ...readPages('order/list', { type: '2', ...filters }),
    meta: { quiet: true },
    staleTime: 0,
    gcTime: Number.POSITIVE_INFINITY,
    refetchInterval: ({ state }) => {
      const [only, ...more] = state.data?.pages ?? []
      return only && more.length === 0 && transfersIn(only).some((order) => !isEnded(order)) ? REFRESH_MS : false
    },
  })
  const orders = list.data?.pages.flatMap(transfersIn)
  const refresh = () => list.refetch()
  return (
    <View
      onRefresh={refresh}
      top={<TopBar title={t('transfer.list.title')} onBack={back} end={<RefreshButton onRefresh={refresh} />} />}
    >
      <FilterBar filters={filters} onFilters={setFilters} />
      <PagedList
        list={list}
        items={orders}
        texts={{
          failed: t('transfer.list.failed'),
          offline: t('transfer.list.offlineText'),
          empty: filters.symbol || filters.status ? t('transfer.list.noMatch') : t('transfer.list.empty'),
        }}
        waiting={7}
        line={(order, place) => (order ? <Line key={order.id} order={order} /> : <WaitingLine key={place} />)}
      />
    </View>
  )
}

function Line({ order }: { order: TransferOrder }) {
  const language = useLanguage()
  const { symbol } = order
  return (
    <li>
      <Link to={recordOf(order.id)} className={styles.line}>
        <span className={styles.sign} aria-hidden="true">
          <ArrowUpRight size={18} />
        </span>
        <span className={styles.lineWords}>
          <Amount value={order.amount} symbol={symbol} places={placesOf[symbol]} />
          <time className={styles.lineAt} dateTime={order.requestedAt}>
            {formatMoment(order.requestedAt, language)}
          </time>
        </span>
        <StandingPill order={order} />
      </Link>
    </li>
  )
}

function WaitingLine() {
  return (
    <li className={styles.line}>
      <span className={styles.sign} />
      <span className={styles.lineWords}>
        <Skeleton>000.00 USDT</Skeleton>
        <span className={styles.lineAt}>
          <Skeleton>00 Aaa 0000, 00:00</Skeleton>
        </span>
      </span>
    </li>
  )
}

const ALL = ''
/** In the order that members expect: waiting, under way, arrived, failed. */
const statuses = ['2', '3', '1', '0'] as const

function FilterBar({ filters, onFilters }: { filters: Filters; onFilters: (filters: Filters) => void }) {
  const t = useText()
  const { symbol, status } = filters
  const symbols = assets.map((value): { value: Asset; text: string } => ({ value, text: value }))
  return (
    <div className={styles.filters}>
      <Select
        label={t('transfer.list.symbolFilter')}
        value={symbol ?? ALL}
        options={[{ value: ALL, text: t('transfer.list.allSymbols') }, ...symbols]}
        onValue={(chosen) => onFilters({ ...(status && { status }), ...(chosen && { symbol: chosen }) })}
      />
      <Select
        label={t('transfer.list.statusFilter')}
        value={status ?? ALL}
        options={[
          { value: ALL, text: t('transfer.list.allStatuses') },
          ...statuses.map((value) => ({ value, text: t(`transfer.list.statuses.${value}`) })),
        ]}
        onValue={(chosen) => onFilters({ ...(symbol && { symbol }), ...(chosen && { status: chosen }) })}
      />
    </div>
  )
}
