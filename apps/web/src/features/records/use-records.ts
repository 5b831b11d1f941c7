import { type DataOf, orderStatuses, orderTypes, type RequestOf } from '@lode/wire'
import { useInfiniteQuery } from '@tanstack/react-query'
import { readPages } from '../../shared/api/index.ts'
import type { PaidOrder } from '../order/index.ts'

type OrderPage = DataOf<'order/list'>
export type Payment = DataOf<'order/payments'>['items'][number]

/** Transfers out are orders too, but have their own page. */
export const paidTypes = ['1', '3'] as const satisfies RequestOf<'order/list'>['type'][]
export type OrderFilters = Pick<RequestOf<'order/list'>, 'status'> & { readonly type: (typeof paidTypes)[number] }

/**
 * Automatic refresh, only while one page is loaded and something on it is under way. Further pages are read again on
 * demand.
 */
const REFRESH_MS = 5_000

/** A view that was in the background shows its old data at once and then reads again. */
const kept = { meta: { quiet: true }, staleTime: 0, gcTime: Number.POSITIVE_INFINITY }

/** A list of a paid type contains paid orders only. The compiler cannot derive this. */
const paidOrdersIn = (page: OrderPage): readonly PaidOrder[] => (page.type === orderTypes.transferOut ? [] : page.items)

const isOpen = ({ status }: PaidOrder): boolean =>
  status === orderStatuses.paying || status === orderStatuses.confirming

/** Counts over all records, whatever the filter is, from the newest page. */
type Totals = { readonly total: number; readonly successes: number }

export function useOrders(filters: OrderFilters) {
  const list = useInfiniteQuery({
    ...readPages('order/list', filters),
    ...kept,
    refetchInterval: ({ state }) => {
      const [only, ...more] = state.data?.pages ?? []
      return only && more.length === 0 && paidOrdersIn(only).some(isOpen) ? REFRESH_MS : false
    },
  })
  const [first] = list.data?.pages ?? []
  const totals: Totals | undefined = first?.type === orderTypes.transferOut ? undefined : first
  return { list, items: list.data?.pages.flatMap(paidOrdersIn), totals }
}

export function usePayments() {
  const list = useInfiniteQuery({
    ...readPages('order/payments', {}),
    ...kept,
    refetchInterval: ({ state }) => {
      const [only, ...more] = state.data?.pages ?? []
      return only && more.length === 0 && only.items.some(isUnderWay) ? REFRESH_MS : false
    },
  })
  const totals: Totals | undefined = list.data?.pages[0]
  return { list, items: list.data?.pages.flatMap(({ items }) => items), totals }
}

const isUnderWay = ({ state }: Payment): boolean => state === 'sent' || state === 'confirming'
