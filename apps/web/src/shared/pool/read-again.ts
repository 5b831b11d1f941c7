import type { RouteName } from '@lode/wire'
import { queryClient } from '../api/index.ts'

type Query = { readonly isFetching: boolean; readonly refetch: () => Promise<unknown> }

/** Reads a route again. A request that hangs is ended first: a query without data would otherwise go on waiting for it. */
export async function readAgain(name: RouteName, { isFetching, refetch }: Query): Promise<void> {
  if (isFetching) await queryClient.cancelQueries({ queryKey: [name] })
  await refetch()
}
