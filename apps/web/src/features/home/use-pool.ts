import { parseAmount } from '@lode/kernel'
import type { DataOf } from '@lode/wire'
import { useQuery } from '@tanstack/react-query'
import { read } from '../../shared/api/index.ts'
import { sharedOn } from '../production/index.ts'

export type Figures = DataOf<'pool/figures'>
type Day = DataOf<'pool/days'>['items'][number]

/** They are counted at most so often, and asked for by everybody. */
const EVERY_MS = 60_000

/** A view in the background comes back with what it showed, and then asks anew. */
const kept = { meta: { quiet: true }, gcTime: Number.POSITIVE_INFINITY, refetchInterval: EVERY_MS }

export const useFigures = () => useQuery({ ...read('pool/figures', {}), ...kept })

/** As many as are drawn. */
export const useNewestDays = () => useQuery({ ...read('pool/days', { limit: '14' }), ...kept })

/** What a day shared out, in the smallest units of BTC. */
export function sharedOf({ F, T, S }: Day, decimals: number): bigint {
  const unitsOf = (amount: string): bigint => {
    const parsed = parseAmount('BTC', decimals, amount)
    return parsed.ok ? parsed.value : 0n
  }
  return sharedOn({ F: unitsOf(F), T: unitsOf(T), S: BigInt(S) })
}
