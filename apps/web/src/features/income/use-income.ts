import type { DataOf, IncomePeriod } from '@lode/wire'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { read } from '../../shared/api/index.ts'

export type Income = DataOf<'account/income'>
export type IncomeBar = Income['bars'][number]

/** While another period loads, the one before stays on the screen. */
export const useIncome = (period: IncomePeriod) =>
  useQuery({ ...read('account/income', { period }), meta: { quiet: true }, placeholderData: keepPreviousData })
