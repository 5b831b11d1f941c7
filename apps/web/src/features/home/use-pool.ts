import { parseAmount } from '@lode/kernel'
import type { DataOf } from '@lode/wire'
import { useQuery } from '@tanstack/react-query'
import { read } from '../../shared/api/index.ts'
import { sharedOn } from '../production/index.ts'

export type Figures = DataOf<'pool/figures'>
type Day = DataOf<'pool/days'>['items'][number]

/** The server counts the figures at most this often, and every member requests them. */
const EVERY_MS = 60_000

/** A view that was in the background shows its old data at once and then reads again. */
const kept = { meta: { quiet: true }, gcTime: Number.POSITIVE_INFINITY, refetchInterval: EVERY_MS }

export const useFigures = () => useQuery({ ...read('pool/figures', {}), ...kept })

/** As many days as the chart draws. */
export const useNewestDays = () => useQuery({ ...read('pool/days', { limit: '14' }), ...kept })

/** The production of a day, in the smallest units of BTC. */
export function sharedOf({ F, T, S }: Day, decimals: number): bigint {
  const unitsOf = (amount: string): bigint => {
    const parsed = parseAmount('BTC', decimals, amount)
    return parsed.ok ? parsed.value : 0n
  }
  return sharedOn({ F: unitsOf(F), T: unitsOf(T), S: BigInt(S) })
}
