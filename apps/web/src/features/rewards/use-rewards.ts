import type { DataOf, RequestOf } from '@lode/wire'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { read, readPages } from '../../shared/api/index.ts'

export type Reward = DataOf<'promotion/rewards'>['items'][number]
export type RewardFilters = Pick<RequestOf<'promotion/rewards'>, 'status' | 'type'>

/** A view in the background comes back with what it showed, and then asks anew. */
const kept = { meta: { quiet: true }, gcTime: Number.POSITIVE_INFINITY }

export const useRewards = (filters: RewardFilters) =>
  useInfiniteQuery({ ...readPages('promotion/rewards', filters), ...kept })

/** What waits to be claimed, of all records and not only of those that are loaded. */
export const useThanksgiving = () =>
  useQuery({ ...read('promotion/overview', {}), ...kept, select: ({ thanksgiving }) => thanksgiving })
