import type { DataOf, RequestOf } from '@lode/wire'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { fetchRead, readPages, useChain } from '../../shared/api/index.ts'
import { session } from '../../shared/session/index.ts'
import { type LoadedDays, readDays } from './read-days.ts'
import {
  checkDay,
  type DayCheck,
  type DayFigures,
  type DividendLine,
  findTableFaults,
  parseDay,
  parseLine,
  parsePledge,
} from './recompute.ts'

export type PledgeRecord = DataOf<'pledge/records'>['items'][number]
export type PledgeRecordFilters = Pick<RequestOf<'pledge/records'>, 'status'>

/** A view that was in the background shows its old data at once and then reads again. */
const cacheOptions = { meta: { quiet: true }, gcTime: Number.POSITIVE_INFINITY }

export const usePledgeRecords = (filters: PledgeRecordFilters) =>
  useInfiniteQuery({ ...readPages('pledge/records', filters), ...cacheOptions })

/** How many more days one press shows, and the most rows that one call returns. */
const DAYS_PER_PAGE = 30
const MAX_ROWS = '100'

/** A day as it is shown: the pool's figures as text and as numbers, the member's line, and the result of the check. */
export type ShownDay = {
  readonly reported: LoadedDays['days'][number]
  readonly figures: DayFigures
  readonly line: DividendLine | null
  readonly check: DayCheck
}

/** The newest days, each recomputed here. Asking for more reads everything again. */
export function useCheckedDays() {
  const { data: chain } = useChain()
  const list = useInfiniteQuery({
    queryKey: ['pool/days', session.get().account, 'checked'],
    ...cacheOptions,
    initialPageParam: DAYS_PER_PAGE,
    maxPages: 1,
    queryFn: ({ pageParam, signal }) =>
      readDays(pageParam, {
        table: (page) => fetchRead('pool/days', { ...page, limit: MAX_ROWS }, signal),
        lines: (page) => fetchRead('pledge/days', { ...page, limit: MAX_ROWS }, signal),
        records: (page) => fetchRead('pledge/records', { ...page, limit: MAX_ROWS }, signal),
      }),
    getNextPageParam: ({ days, shown }, _, reach) => (days.length > shown ? reach + DAYS_PER_PAGE : null),
    getPreviousPageParam: () => null,
  })
  const read = list.data?.pages.at(-1)
  const decimals = chain?.tokens.BTC.decimals
  const checked = useMemo(
    () => (read && decimals !== undefined ? checkLoadedDays(read, decimals) : undefined),
    [read, decimals],
  )
  return { list, ...checked }
}

function checkLoadedDays({ days: reportedDays, shown, lines, records, first }: LoadedDays, decimals: number) {
  const pledges = records.flatMap((record) => parsePledge(record) ?? [])
  const table = { days: new Map(reportedDays.map((one) => [one.day, parseDay(one, decimals)])), first }
  const ownLines = new Map(lines.map((one) => [one.day, parseLine(one, decimals)]))
  const days = reportedDays.slice(0, shown).flatMap((one): ShownDay[] => {
    const figures = table.days.get(one.day)
    const line = ownLines.get(one.day) ?? null
    return figures ? [{ reported: one, figures, line, check: checkDay(one.day, { pledges, line, table }) }] : []
  })
  /** Whether an older day, which is not shown but on which the shown days depend, has a wrong figure. */
  const olderDiffer = reportedDays.slice(shown).some(({ day }) => {
    const [figures, before] = [table.days.get(day), first === day ? null : table.days.get(day - 1)]
    return figures !== undefined && before !== undefined && findTableFaults(figures, before).length > 0
  })
  return { days, olderDiffer }
}
