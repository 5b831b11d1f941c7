import type { DataOf } from '@lode/wire'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { read, readPages } from '../../shared/api/index.ts'

export type CurrentPlan = DataOf<'plan/current'>
export type Plan = CurrentPlan['plan']
export type PlanVersion = DataOf<'plan/history'>['versions'][number]
export type PoolPayment = DataOf<'pool/payments'>['items'][number]
export type PoolLosses = Pick<DataOf<'pool/payments'>, 'missing' | 'corrections'>
export type Announcement = DataOf<'pool/announcements'>['open'][number]
export type PartnerStatus = DataOf<'partner/status'>

/** A view that was in the background shows its old data at once and then reads again. */
const cacheOptions = { meta: { quiet: true }, gcTime: Number.POSITIVE_INFINITY }

export const usePlan = () => useQuery({ ...read('plan/current', {}), ...cacheOptions })
export const usePlanHistory = () => useInfiniteQuery({ ...readPages('plan/history', {}), ...cacheOptions })
export const usePoolPayments = () => useInfiniteQuery({ ...readPages('pool/payments', {}), ...cacheOptions })

/** The server keeps the list for 30 seconds. */
const ANNOUNCEMENTS_POLL_MS = 30_000

export const useAnnouncements = () =>
  useQuery({ ...read('pool/announcements', {}), ...cacheOptions, refetchInterval: ANNOUNCEMENTS_POLL_MS })

/** How often the page reads again while an application waits for the operators. */
const APPLICATION_POLL_MS = 15_000

export const usePartnerStatus = () =>
  useQuery({
    ...read('partner/status', {}),
    ...cacheOptions,
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data?.standing === 'applied' ? APPLICATION_POLL_MS : false),
  })
