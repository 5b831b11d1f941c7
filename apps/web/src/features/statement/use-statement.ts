import type { DataOf } from '@lode/wire'
import { useQuery } from '@tanstack/react-query'
import { read } from '../../shared/api/index.ts'

export type Statement = DataOf<'wallet/statement'>
export type Account = Statement['accounts'][number]

/** Asked for when it is opened: it is of that moment, and says so. */
export const useStatement = () => useQuery({ ...read('wallet/statement', {}), meta: { quiet: true }, staleTime: 0 })
