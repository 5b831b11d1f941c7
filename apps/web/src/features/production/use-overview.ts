import type { DataOf } from '@lode/wire'
import { useQuery } from '@tanstack/react-query'
import { read } from '../../shared/api/index.ts'

export type Overview = DataOf<'pledge/overview'>
export type PledgeOrder = NonNullable<Overview['open']>
export type Term = NonNullable<Overview['plan']>['terms'][number]

const SOON_MS = 5_000
const LATER_MS = 60_000

/** How soon to read again: soon while something is under way, and when the next production is due. */
function paceOf({ open, next, at }: Overview): number {
  if (open) return SOON_MS
  if (!next) return LATER_MS
  // Operators take hours, the chain takes minutes.
  if (next.state === 'waiting-operators') return LATER_MS
  if (next.state !== 'scheduled') return SOON_MS
  const left = Date.parse(next.at) - Date.parse(at)
  return Math.min(LATER_MS, Math.max(SOON_MS, left))
}

/** A view that was in the background shows its old data at once and then reads again. */
export const useOverview = () =>
  useQuery({
    ...read('pledge/overview', {}),
    meta: { quiet: true },
    gcTime: Number.POSITIVE_INFINITY,
    refetchInterval: ({ state }) => (state.data ? paceOf(state.data) : false),
  })
