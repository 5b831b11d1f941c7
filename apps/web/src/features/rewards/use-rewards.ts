import type { DataOf, RequestOf } from '@lode/wire'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { read, readPages } from '../../shared/api/index.ts'

export type Reward = DataOf<'promotion/rewards'>['items'][number]
export type RewardFilters = Pick<RequestOf<'promotion/rewards'>, 'status' | 'type'>

/** A view that was in the background shows its old data at once and then reads again. */
const cacheOptions = { meta: { quiet: true }, gcTime: Number.POSITIVE_INFINITY }

export const useRewards = (filters: RewardFilters) =>
  useInfiniteQuery({ ...readPages('promotion/rewards', filters), ...cacheOptions })

/** The total that waits to be claimed, over all records and not only the loaded ones. */
export const useThanksgiving = () =>
  useQuery({ ...read('promotion/overview', {}), ...cacheOptions, select: ({ thanksgiving }) => thanksgiving })
