import type { DataOf, RequestOf } from '@lode/wire'
import { useQuery } from '@tanstack/react-query'
import { fetchRead, read, readPages } from '../../shared/api/index.ts'
import { type PageOf, useNewestFirst } from '../../shared/list/index.ts'

export type Reward = DataOf<'promotion/rewards'>['items'][number]
export type RewardFilters = Pick<RequestOf<'promotion/rewards'>, 'status' | 'type'>

/** A view that was in the background shows its old data at once and then reads again. */
const cacheOptions = { meta: { quiet: true }, gcTime: Number.POSITIVE_INFINITY }

const pageOf: PageOf<DataOf<'promotion/rewards'>, Reward> = {
  itemsOf: ({ items }) => items,
  withItems: (page, items) => ({ ...page, items }),
  keyOf: ({ id }) => id,
}

export const useRewards = (filters: RewardFilters) =>
  useNewestFirst({
    queryKey: readPages('promotion/rewards', filters).queryKey,
    readPage: (page, signal) => fetchRead('promotion/rewards', { ...filters, ...page }, signal),
    pageOf,
  })

/** The total that waits to be claimed, over all records and not only the loaded ones. */
export const useThanksgiving = () =>
  useQuery({ ...read('promotion/overview', {}), ...cacheOptions, select: ({ thanksgiving }) => thanksgiving })
