import type { DataOf } from '@lode/wire'
import { useQuery } from '@tanstack/react-query'
import { read } from '../../shared/api/index.ts'

export type ShareCard = DataOf<'share/card'>

/** Never stale: the card of a member does not change. */
export const useShareCard = () =>
  useQuery({ ...read('share/card', {}), meta: { quiet: true }, staleTime: Number.POSITIVE_INFINITY })
