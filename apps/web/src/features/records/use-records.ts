import { type DataOf, orderStatuses, orderTypes, type RequestOf } from '@lode/wire'
import { useInfiniteQuery } from '@tanstack/react-query'
import { readPages } from '../../shared/api/index.ts'
import type { PayableOrder } from '../order/index.ts'

type OrderPage = DataOf<'order/list'>
export type OrderPaymentRecord = DataOf<'order/payments'>['items'][number]

/** Transfers out are orders too, but have their own page. */
export const payableTypes = ['1', '3'] as const satisfies RequestOf<'order/list'>['type'][]
export type OrderFilters = Pick<RequestOf<'order/list'>, 'status'> & { readonly type: (typeof payableTypes)[number] }

/**
 * The list is read again at this interval while only one page is loaded and something on it is under way. A list of
 * several pages is not read again at an interval, because that would read every page.
 */
const REFRESH_MS = 5_000

/** A view that was in the background shows its old data at once and then reads again. */
const cacheOptions = { meta: { quiet: true }, staleTime: 0, gcTime: Number.POSITIVE_INFINITY }

/** A list of a payable type contains payable orders only. The compiler cannot derive this. */
const payableOrdersIn = (page: OrderPage): readonly PayableOrder[] =>
  page.type === orderTypes.transferOut ? [] : page.items

const isOpen = ({ status }: PayableOrder): boolean =>
  status === orderStatuses.paying || status === orderStatuses.confirming

/** Counted over all payments, or all orders of the type, whatever the status filter. Taken from the first page. */
type Totals = { readonly total: number; readonly successes: number }

export function useOrderRecords(filters: OrderFilters) {
  const list = useInfiniteQuery({
    ...readPages('order/list', filters),
    ...cacheOptions,
    refetchInterval: ({ state }) => {
      const [firstPage, ...more] = state.data?.pages ?? []
      return firstPage && more.length === 0 && payableOrdersIn(firstPage).some(isOpen) ? REFRESH_MS : false
    },
  })
  const [first] = list.data?.pages ?? []
  const totals: Totals | undefined = first
  return { list, items: list.data?.pages.flatMap(payableOrdersIn), totals }
}

export function usePaymentRecords() {
  const list = useInfiniteQuery({
    ...readPages('order/payments', {}),
    ...cacheOptions,
    refetchInterval: ({ state }) => {
      const [firstPage, ...more] = state.data?.pages ?? []
      return firstPage && more.length === 0 && firstPage.items.some(isUnderWay) ? REFRESH_MS : false
    },
  })
  const totals: Totals | undefined = list.data?.pages[0]
  return { list, items: list.data?.pages.flatMap(({ items }) => items), totals }
}

const isUnderWay = ({ state }: OrderPaymentRecord): boolean => state === 'sent' || state === 'confirming'
