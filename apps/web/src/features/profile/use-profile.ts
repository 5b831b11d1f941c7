import type { DataOf } from '@lode/wire'
import { useQuery } from '@tanstack/react-query'
import { read } from '../../shared/api/index.ts'

export type Profile = DataOf<'account/profile'>

/**
 * The signed-in member, requested once however many screens show it. A screen that mounts later does not repeat a
 * failed request: the failure is shown until the member retries.
 */
export const useProfile = () => useQuery({ ...read('account/profile', {}), retryOnMount: false })
