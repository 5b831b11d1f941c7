import type { DataOf } from '@lode/wire'
import { useQuery } from '@tanstack/react-query'
import { read } from '../../shared/api/index.ts'
import { isZero } from '../../shared/format/index.ts'
import { refreshInterval } from './refresh-interval.ts'

export type WalletAssets = DataOf<'wallet/assets'>
export type WalletAsset = WalletAssets['items'][number]

/** Cached for the whole session. A view that was in the background shows its old data at once and then reads again. */
export const useAssets = () =>
  useQuery({
    ...read('wallet/assets', {}),
    meta: { quiet: true },
    gcTime: Number.POSITIVE_INFINITY,
    refetchInterval: ({ state }) =>
      refreshInterval(state.data?.items.some(({ incoming }) => !isZero(incoming)) ?? false),
  })
