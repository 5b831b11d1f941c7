import type { DataOf } from '@lode/wire'
import { useQuery } from '@tanstack/react-query'
import { read } from '../../shared/api/index.ts'

export type PromotionOverview = DataOf<'promotion/overview'>
export type Level = NonNullable<PromotionOverview['plan']>['levels'][number]
export type PromotionOrder = NonNullable<PromotionOverview['open']>

/**
 * An open order is read again regularly. A view that was in the background shows its old data at once and then reads
 * again.
 */
export const usePromotionOverview = () =>
  useQuery({
    ...read('promotion/overview', {}),
    meta: { quiet: true },
    gcTime: Number.POSITIVE_INFINITY,
    refetchInterval: ({ state }) => (state.data?.open ? 5_000 : false),
  })
