import type { DataOf } from '@lode/wire'
import { useQuery } from '@tanstack/react-query'
import { read } from '../../shared/api/index.ts'

export type Profile = DataOf<'account/profile'>

/** The member behind the token, asked for once however many screens show it. */
export const useProfile = () => useQuery(read('account/profile', {}))
