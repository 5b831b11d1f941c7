import type { DataOf, IncomePeriod } from '@lode/wire'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { read } from '../../shared/api/index.ts'

export type Income = DataOf<'account/income'>
export type IncomeBar = Income['bars'][number]

/**
 * While another period loads, the one before stays on the screen. Without a network it does not: nobody knows how long
 * its figures would stand under the wrong button.
 */
export function useIncome(period: IncomePeriod) {
  const query = useQuery({
    ...read('account/income', { period }),
    meta: { quiet: true },
    placeholderData: keepPreviousData,
  })
  return { ...query, data: query.isPlaceholderData && query.isPaused ? undefined : query.data }
}
