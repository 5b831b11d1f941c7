import type { DataOf } from '@lode/wire'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { fetchRead, read, readPages } from '../../shared/api/index.ts'
import { type PageOf, useNewestFirst } from '../../shared/list/index.ts'

export type TeamOverview = DataOf<'team/overview'>
export type Net = DataOf<'team/net'>
export type Area = Net['areas'][number]
export type Invitation = DataOf<'team/invitations'>['items'][number]

/** A view that was in the background shows its old data at once and then reads again. */
const cacheOptions = { meta: { quiet: true }, gcTime: Number.POSITIVE_INFINITY }

export const useTeamOverview = () => useQuery({ ...read('team/overview', {}), ...cacheOptions })

/** The net from one member, or from the signed-in member. The old data stays until the next has loaded. */
export const useNet = (node: string | null) =>
  useQuery({
    ...read('team/net', node === null ? {} : { root: node }),
    ...cacheOptions,
    placeholderData: keepPreviousData,
  })

/** The members below one of the shown areas, in a window that has room for one more layer. */
export const useNetBelow = (node: string) => useQuery({ ...read('team/net', { root: node }), ...cacheOptions })

const pageOf: PageOf<DataOf<'team/invitations'>, Invitation> = {
  itemsOf: ({ items }) => items,
  withItems: (page, items) => ({ ...page, items }),
  keyOf: ({ id }) => id,
}

export const useInvitations = () =>
  useNewestFirst({
    queryKey: readPages('team/invitations', {}).queryKey,
    readPage: (page, signal) => fetchRead('team/invitations', page, signal),
    pageOf,
  })
