import type { DataOf } from '@lode/wire'
import { useQuery } from '@tanstack/react-query'
import { read, spread } from '../../shared/api/index.ts'

export type Home = DataOf<'account/home'>

/** How often the page reads again while it is open. A command of the member reads it again at once. */
const POLL_MS = 120_000

/** A view that was in the background shows its old data at once and then reads again. */
export const useHome = () =>
  useQuery({
    ...read('account/home', {}),
    meta: { quiet: true },
    gcTime: Number.POSITIVE_INFINITY,
    refetchInterval: ({ state }) => spread(POLL_MS, state.dataUpdatedAt),
  })
