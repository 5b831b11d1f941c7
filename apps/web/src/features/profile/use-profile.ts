import type { DataOf } from '@lode/wire'
import { useQuery } from '@tanstack/react-query'
import { read } from '../../shared/api/index.ts'

export type Profile = DataOf<'account/profile'>

/**
 * The member behind the token, asked for once however many screens show it. One that comes late does not ask again where the
 * first had no answer: what failed stays said until the member tries again.
 */
export const useProfile = () => useQuery({ ...read('account/profile', {}), retryOnMount: false })
