import type { DataOf } from '@lode/wire'
import { useQuery } from '@tanstack/react-query'
import { read } from '../../shared/api/index.ts'

export type PledgeOverview = DataOf<'pledge/overview'>
export type PledgeOrder = NonNullable<PledgeOverview['open']>
export type PledgeTerm = NonNullable<PledgeOverview['plan']>['terms'][number]

const SOON_MS = 5_000
const LATER_MS = 60_000

/** How soon to read again: soon while something is under way, and when the next production is due. */
function pollInterval({ open, next, at }: PledgeOverview): number {
  if (open) return SOON_MS
  if (!next) return LATER_MS
  // A decision by operators and six Bitcoin blocks take hours; the chain takes only minutes.
  if (next.until) return LATER_MS
  if (next.state !== 'scheduled') return SOON_MS
  const left = Date.parse(next.at) - Date.parse(at)
  return Math.min(LATER_MS, Math.max(SOON_MS, left))
}

/** A view that was in the background shows its old data at once and then reads again. */
export const usePledgeOverview = () =>
  useQuery({
    ...read('pledge/overview', {}),
    meta: { quiet: true },
    gcTime: Number.POSITIVE_INFINITY,
    refetchInterval: ({ state }) => (state.data ? pollInterval(state.data) : false),
  })
