import type { Result } from '@lode/kernel'
import { type DataOf, type RouteName, routes } from '@lode/wire'
import { infiniteQueryOptions, QueryCache, QueryClient, queryOptions } from '@tanstack/react-query'
import { session } from '../session/index.ts'
import type { Api, CallRequest } from './client.ts'
import { CallError, type Failure } from './failure.ts'

type ReadName = { [Name in RouteName]: (typeof routes)[Name]['method'] extends 'GET' ? Name : never }[RouteName]

/** Reads that return pages. */
type PagedName = {
  [Name in ReadName]: DataOf<Name> extends { readonly next: string | null } ? Name : never
}[ReadName]

declare module '@tanstack/react-query' {
  interface Register {
    queryMeta: {
      /**
       * The query repeats by itself, and its view shows when the data is old. So a failure shows no toast.
       */
      readonly quiet?: boolean
    }
  }
}

const RETRIES = 2

/** True if the network or a gateway failed, and not the request. Then the app retries by itself. */
const isTransient = (failure: Failure): boolean =>
  failure.kind === 'no-response' || (failure.kind === 'refused' && [502, 503, 504].includes(failure.status))

/**
 * False if the same call could have another answer later, because the server did not get it or, with too many calls, did
 * not look at it.
 */
export const isAnswered = (answer: Result<unknown, Failure>): boolean =>
  answer.ok || !(isTransient(answer.error) || (answer.error.kind === 'refused' && answer.error.status === 429))

export function createQueries(api: Api) {
  const queryClient = new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 30_000,
        retry: (failures, error) => error instanceof CallError && isTransient(error.failure) && failures < RETRIES,
      },
    },
    // Shows one toast, after the last retry. If a view has no data yet, it shows the failure in place with a retry
    // button, and a toast would only cover that text.
    queryCache: new QueryCache({
      onError: (error, query) => {
        if (error instanceof CallError && query.state.data !== undefined && !query.meta?.quiet)
          api.present(error.failure)
      },
    }),
  })

  /** Calls a read route without a cache, for callers that combine several reads. Throws on failure, as queries do. */
  async function fetchRead<Name extends ReadName>(
    name: Name,
    request: CallRequest<Name>,
    signal: AbortSignal,
  ): Promise<DataOf<Name>> {
    const result = await api.call(name, request, { quiet: true, signal })
    if (!result.ok) throw new CallError(result.error)
    return result.value
  }

  /** Without a session token only open routes are read, so nothing fails between a session's end and the login page. */
  const mayAsk = (name: ReadName) => () => routes[name].access === 'open' || session.get().token !== null

  /**
   * A read route as a query: its key and its fetcher. The key contains the account, so members never share a cache.
   */
  const read = <Name extends ReadName>(name: Name, request: CallRequest<Name>) =>
    queryOptions({
      queryKey: [name, session.get().account, request] as const,
      enabled: mayAsk(name),
      queryFn: ({ signal }) => fetchRead(name, request, signal),
    })

  /** A read route that returns a list page by page, as an infinite query. */
  const readPages = <Name extends PagedName>(name: Name, request: Omit<CallRequest<Name>, 'cursor'>) =>
    infiniteQueryOptions({
      queryKey: [name, session.get().account, request, 'pages'] as const,
      enabled: mayAsk(name),
      initialPageParam: null as string | null,
      queryFn: ({ pageParam, signal }) =>
        fetchRead(
          name,
          { ...request, ...(pageParam === null ? {} : { cursor: pageParam }) } as CallRequest<Name>,
          signal,
        ),
      getNextPageParam: (page) => page.next,
    })

  return { queryClient, read, readPages, fetchRead }
}
