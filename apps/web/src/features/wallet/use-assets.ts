import type { DataOf } from '@lode/wire'
import { useQuery } from '@tanstack/react-query'
import { read } from '../../shared/api/index.ts'
import { isZero } from '../../shared/format/index.ts'
import { refreshEvery } from './pace.ts'

export type Assets = DataOf<'wallet/assets'>
export type Item = Assets['items'][number]

/** Kept for as long as the session lasts: a view in the background comes back with what it showed, and then asks anew. */
export const useAssets = () =>
  useQuery({
    ...read('wallet/assets', {}),
    meta: { quiet: true },
    gcTime: Number.POSITIVE_INFINITY,
    refetchInterval: ({ state }) => refreshEvery(state.data?.items.some(({ incoming }) => !isZero(incoming)) ?? false),
  })
