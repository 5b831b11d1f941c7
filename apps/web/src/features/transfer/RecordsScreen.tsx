import { type Asset, assets } from '@lode/kernel'
import type { RequestOf } from '@lode/wire'
import { useInfiniteQuery } from '@tanstack/react-query'
import { ArrowUpRight } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'react-router'
import { readPages } from '../../shared/api/index.ts'
import { formatMoment, placesOf } from '../../shared/format/index.ts'
import { useLanguage, useText } from '../../shared/i18n/index.ts'
import { PagedList, RecordCounts } from '../../shared/list/index.ts'
import { useBack } from '../../shared/routing/index.ts'
import { Amount, RefreshButton, Select, Skeleton, TopBar, View } from '../../shared/ui/index.ts'
import { FORM_PATH, transferPath } from './paths.ts'
import { TransferStatePill } from './TransferStatePill.tsx'
import styles from './transfer.module.css'
import { type TransferOrder, transfersIn } from './transfer-press.ts'
import { isEnded } from './transfer-timeline.ts'

type TransferFilters = Pick<RequestOf<'order/list'>, 'symbol' | 'status'>

/**
 * The list is read again at this interval while only one page is loaded and something on it is under way. A list of
 * several pages is not read again at an interval, because that would read every page.
 */
const REFRESH_MS = 5_000

/** All transfers, newest first. */
export function RecordsScreen() {
  const t = useText()
  const back = useBack(FORM_PATH)
  const [filters, setFilters] = useState<TransferFilters>({})
  const list = useInfiniteQuery({
    ...readPages('order/list', { type: '2', ...filters }),
    meta: { quiet: true },
    staleTime: 0,
    gcTime: Number.POSITIVE_INFINITY,
    refetchInterval: ({ state }) => {
      const [firstPage, ...more] = state.data?.pages ?? []
      return firstPage && more.length === 0 && transfersIn(firstPage).some((order) => !isEnded(order))
        ? REFRESH_MS
        : false
    },
  })
  const orders = list.data?.pages.flatMap(transfersIn)
  const refresh = () => list.refetch()
  return (
    <View
      onRefresh={refresh}
      top={<TopBar title={t('transfer.list.title')} onBack={back} end={<RefreshButton onRefresh={refresh} />} />}
    >
      <RecordCounts
        totals={list.data?.pages[0]}
        names={{ total: t('transfer.list.total'), successes: t('transfer.list.successes') }}
      />
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
        line={(order, index) =>
          order ? <TransferLine key={order.id} order={order} /> : <TransferLineSkeleton key={index} />
        }
      />
    </View>
  )
}

function TransferLine({ order }: { order: TransferOrder }) {
  const language = useLanguage()
  const { symbol } = order
  return (
    <li>
      <Link to={transferPath(order.id)} className={styles.line}>
        <span className={styles.sign} aria-hidden="true">
          <ArrowUpRight size={18} />
        </span>
        <span className={styles.lineWords}>
          <Amount value={order.amount} symbol={symbol} places={placesOf[symbol]} />
          <time className={styles.lineAt} dateTime={order.requestedAt}>
            {formatMoment(order.requestedAt, language)}
          </time>
        </span>
        <TransferStatePill order={order} />
      </Link>
    </li>
  )
}

function TransferLineSkeleton() {
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

function FilterBar({
  filters,
  onFilters,
}: {
  filters: TransferFilters
  onFilters: (filters: TransferFilters) => void
}) {
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
