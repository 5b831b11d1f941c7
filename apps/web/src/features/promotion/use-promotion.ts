import type { DataOf } from '@lode/wire'
import { useQuery } from '@tanstack/react-query'
import { read } from '../../shared/api/index.ts'

export type Overview = DataOf<'promotion/overview'>
export type Level = NonNullable<Overview['plan']>['levels'][number]
export type PromotionOrder = NonNullable<Overview['open']>

/**
 * An open order is read again regularly. A view that was in the background shows its old data at once and then reads
 * again.
 */
export const useOverview = () =>
  useQuery({
    ...read('promotion/overview', {}),
    meta: { quiet: true },
    gcTime: Number.POSITIVE_INFINITY,
    refetchInterval: ({ state }) => (state.data?.open ? 5_000 : false),
  })
