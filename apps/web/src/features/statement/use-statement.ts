import type { DataOf } from '@lode/wire'
import { useQuery } from '@tanstack/react-query'
import { read } from '../../shared/api/index.ts'

export type Statement = DataOf<'wallet/statement'>
export type AccountStatement = Statement['accounts'][number]

/** Always read when the page opens, because the statement shows the time at which it was made. */
export const useStatement = () => useQuery({ ...read('wallet/statement', {}), meta: { quiet: true }, staleTime: 0 })
