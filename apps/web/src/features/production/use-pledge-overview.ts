import type { DataOf } from '@lode/wire'
import { useQuery } from '@tanstack/react-query'
import { read, spread } from '../../shared/api/index.ts'

export type PledgeOverview = DataOf<'pledge/overview'>
export type PledgeOrder = NonNullable<PledgeOverview['open']>
export type PledgeTerm = NonNullable<PledgeOverview['plan']>['terms'][number]

/** How often the page reads again: soon while an order is open. After the close of a day it reads at once. */
const OPEN_ORDER_MS = 5_000
const LATER_MS = 120_000

/** A view that was in the background shows its old data at once and then reads again. */
export const usePledgeOverview = () =>
  useQuery({
    ...read('pledge/overview', {}),
    meta: { quiet: true },
    gcTime: Number.POSITIVE_INFINITY,
    refetchInterval: ({ state }) => (state.data?.open ? OPEN_ORDER_MS : spread(LATER_MS, state.dataUpdatedAt)),
  })
