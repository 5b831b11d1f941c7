import { parseAmount } from '@lode/kernel'
import type { DataOf } from '@lode/wire'
import { useQuery } from '@tanstack/react-query'
import { read, spread } from '../../shared/api/index.ts'
import { dayProduction } from '../production/index.ts'

export type PoolFigures = DataOf<'pool/figures'>
type Day = DataOf<'pool/days'>['items'][number]

/** Every open app asks, and the figures change slowly. A closed day is read within two minutes, see `useNextDay`. */
const FIGURES_POLL_MS = 300_000
const DAYS_POLL_MS = 3_600_000

/** A view that was in the background shows its old data at once and then reads again. */
const cacheOptions = { meta: { quiet: true }, gcTime: Number.POSITIVE_INFINITY }

export const usePoolFigures = () =>
  useQuery({
    ...read('pool/figures', {}),
    ...cacheOptions,
    refetchInterval: ({ state }) => spread(FIGURES_POLL_MS, state.dataUpdatedAt),
  })

/** As many days as the chart draws. */
export const useNewestDays = () =>
  useQuery({
    ...read('pool/days', { limit: '14' }),
    ...cacheOptions,
    refetchInterval: ({ state }) => spread(DAYS_POLL_MS, state.dataUpdatedAt),
  })

/** The production of a day, in the smallest units of BTC. */
export function productionUnits({ F, T, S }: Day, decimals: number): bigint {
  const unitsOf = (amount: string): bigint => {
    const parsed = parseAmount('BTC', decimals, amount)
    return parsed.ok ? parsed.value : 0n
  }
  return dayProduction({ F: unitsOf(F), T: unitsOf(T), S: BigInt(S) })
}
