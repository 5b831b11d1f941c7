import type { DataOf } from '@lode/wire'
import { useQuery } from '@tanstack/react-query'
import { fetchRead, queryClient, read, spread, spreadOver } from '../../shared/api/index.ts'

export type NextDay = DataOf<'pool/next-day'>

const SOON_MS = 20_000
const LATER_MS = 120_000
const LATEST_MS = 3_600_000

/**
 * How soon to ask again. Every open app counts down to the same moment, so the apps ask spread over the seconds after it.
 *
 * @param answeredAt when the answer arrived
 */
export function nextDayInterval({ next, at }: NextDay, answeredAt: number, offset?: number): number {
  if (!next) return spread(LATER_MS, answeredAt, offset)
  // A decision by operators and six Bitcoin blocks take hours; the chain takes only minutes.
  if (next.until) return spread(LATER_MS, answeredAt, offset)
  if (next.state !== 'scheduled') return spread(SOON_MS, answeredAt, offset)
  const left = Math.max(0, Date.parse(next.at) - Date.parse(at))
  return Math.min(left + spreadOver(SOON_MS, answeredAt, offset), spread(LATEST_MS, answeredAt, offset))
}

/** What a close changes: the member's own figures, and those of the pool, of which caches keep older ones for a while. */
const OWN_FIGURES: ReadonlySet<unknown> = new Set(['account/home', 'pledge/overview'])
const POOL_FIGURES: ReadonlySet<unknown> = new Set(['pool/figures', 'pool/days'])
/** The server and a cache in front of it keep public answers for half a minute each. */
const OLDEST_KEPT_MS = 60_000

/** After which times an app that has learned of a close reads the member's figures and the pool's. */
export function delaysAfterClose(random = Math.random()): { readonly own: number; readonly pool: number } {
  const own = OLDEST_KEPT_MS * random
  return { own, pool: OLDEST_KEPT_MS + own }
}

function readAgainAfterClose(): void {
  const readAgain = (names: ReadonlySet<unknown>) =>
    void queryClient.invalidateQueries({ predicate: ({ queryKey }) => names.has(queryKey[0]) })
  const { own, pool } = delaysAfterClose()
  setTimeout(() => readAgain(OWN_FIGURES), own)
  setTimeout(() => readAgain(POOL_FIGURES), pool)
}

const nextDay = () => read('pool/next-day', {})

/** For two shown countdowns, this is one request. */
export const readNextDayAgain = (): void =>
  void queryClient.refetchQueries({ queryKey: nextDay().queryKey, type: 'active' }, { cancelRefetch: false })

/** The next production and what it waits for. When the app learns that a day was closed, it reads what that changed. */
export const useNextDay = () =>
  useQuery({
    ...nextDay(),
    queryFn: async ({ signal }) => {
      const known = queryClient.getQueryData(nextDay().queryKey)
      const answer = await fetchRead('pool/next-day', {}, signal)
      if (known && known.closed !== answer.closed) readAgainAfterClose()
      return answer
    },
    meta: { quiet: true },
    gcTime: Number.POSITIVE_INFINITY,
    refetchInterval: ({ state: { data, error, dataUpdatedAt, errorUpdatedAt } }) =>
      data && !error ? nextDayInterval(data, dataUpdatedAt) : spread(SOON_MS, errorUpdatedAt),
  })
