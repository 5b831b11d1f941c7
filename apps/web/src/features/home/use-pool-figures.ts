import { parseAmount } from '@lode/kernel'
import type { DataOf } from '@lode/wire'
import { useQuery } from '@tanstack/react-query'
import { read } from '../../shared/api/index.ts'
import { dayProduction } from '../production/index.ts'

export type PoolFigures = DataOf<'pool/figures'>
type Day = DataOf<'pool/days'>['items'][number]

/** The server keeps the figures for 30 seconds or longer. Every member requests them, so the app asks less often. */
const POLL_MS = 60_000

/** A view that was in the background shows its old data at once and then reads again. */
const cacheOptions = { meta: { quiet: true }, gcTime: Number.POSITIVE_INFINITY, refetchInterval: POLL_MS }

export const usePoolFigures = () => useQuery({ ...read('pool/figures', {}), ...cacheOptions })

/** As many days as the chart draws. */
export const useNewestDays = () => useQuery({ ...read('pool/days', { limit: '14' }), ...cacheOptions })

/** The production of a day, in the smallest units of BTC. */
export function productionUnits({ F, T, S }: Day, decimals: number): bigint {
  const unitsOf = (amount: string): bigint => {
    const parsed = parseAmount('BTC', decimals, amount)
    return parsed.ok ? parsed.value : 0n
  }
  return dayProduction({ F: unitsOf(F), T: unitsOf(T), S: BigInt(S) })
}
