import type { DataOf, RequestOf } from '@lode/wire'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { fetchRead, readPages, useChain } from '../../shared/api/index.ts'
import { session } from '../../shared/session/index.ts'
import { type DaysRead, readDays } from './read-days.ts'
import { type Check, checkDay, type Day, dayFrom, faultsOf, lineFrom, type OwnLine, pledgeFrom } from './recompute.ts'

export type PledgeRecord = DataOf<'pledge/records'>['items'][number]
export type RecordFilters = Pick<RequestOf<'pledge/records'>, 'status'>

/** A view that was in the background shows its old data at once and then reads again. */
const kept = { meta: { quiet: true }, gcTime: Number.POSITIVE_INFINITY }

export const useRecords = (filters: RecordFilters) =>
  useInfiniteQuery({ ...readPages('pledge/records', filters), ...kept })

/** How many more days one press shows, and the most rows that one call returns. */
const DAYS_MORE = 30
const MOST = '100'

/** A day as it is shown: the pool's figures as text and as numbers, the member's line, and the result of the check. */
export type ShownDay = {
  readonly told: DaysRead['days'][number]
  readonly figures: Day
  readonly line: OwnLine | null
  readonly check: Check
}

/** The newest days, each recomputed here. Asking for more reads everything again. */
export function useDays() {
  const { data: chain } = useChain()
  const list = useInfiniteQuery({
    queryKey: ['pool/days', session.get().account, 'checked'],
    ...kept,
    initialPageParam: DAYS_MORE,
    maxPages: 1,
    queryFn: ({ pageParam, signal }) =>
      readDays(pageParam, {
        table: (page) => fetchRead('pool/days', { ...page, limit: MOST }, signal),
        lines: (page) => fetchRead('pledge/days', { ...page, limit: MOST }, signal),
        records: (page) => fetchRead('pledge/records', { ...page, limit: MOST }, signal),
      }),
    getNextPageParam: ({ days, shown }, _, reach) => (days.length > shown ? reach + DAYS_MORE : null),
    getPreviousPageParam: () => null,
  })
  const read = list.data?.pages.at(-1)
  const decimals = chain?.tokens.BTC.decimals
  const checked = useMemo(
    () => (read && decimals !== undefined ? checkedDays(read, decimals) : undefined),
    [read, decimals],
  )
  return { list, ...checked }
}

function checkedDays({ days: told, shown, lines, records, first }: DaysRead, decimals: number) {
  const pledges = records.flatMap((record) => pledgeFrom(record) ?? [])
  const table = { days: new Map(told.map((one) => [one.day, dayFrom(one, decimals)])), first }
  const ownLines = new Map(lines.map((one) => [one.day, lineFrom(one, decimals)]))
  const days = told.slice(0, shown).flatMap((one): ShownDay[] => {
    const figures = table.days.get(one.day)
    const line = ownLines.get(one.day) ?? null
    return figures ? [{ told: one, figures, line, check: checkDay(one.day, { pledges, line, table }) }] : []
  })
  /** Whether an older day, which is not shown but on which the shown days depend, has a wrong figure. */
  const olderDiffer = told.slice(shown).some(({ day }) => {
    const [figures, before] = [table.days.get(day), first === day ? null : table.days.get(day - 1)]
    return figures !== undefined && before !== undefined && faultsOf(figures, before).length > 0
  })
  return { days, olderDiffer }
}
