import type { DataOf } from '@lode/wire'
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { read, readPages } from '../../shared/api/index.ts'

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

export const useInvitations = () => useInfiniteQuery({ ...readPages('team/invitations', {}), ...cacheOptions })
