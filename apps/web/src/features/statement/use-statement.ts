import type { DataOf } from '@lode/wire'
import { useQuery } from '@tanstack/react-query'
import { read } from '../../shared/api/index.ts'
import type { Period } from '../wallet/index.ts'

export type Statement = DataOf<'wallet/statement'>
export type AccountStatement = Statement['accounts'][number]

/** Always read when the page opens, because the statement shows the time at which it was made. */
export const useStatement = () => useQuery({ ...read('wallet/statement', {}), meta: { quiet: true }, staleTime: 0 })

export type PeriodStatement = DataOf<'wallet/period'>
export type PeriodAccount = PeriodStatement['accounts'][number]

export const usePeriodStatement = (period: Period | null) =>
  useQuery({
    ...read('wallet/period', period ?? { from: '', to: '' }),
    meta: { quiet: true },
    staleTime: 0,
    enabled: period !== null,
  })
