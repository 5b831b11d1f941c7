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
       * The query is repeated by itself, and its view shows in place that the data is old. So a failure shows no toast.
       */
      readonly quiet?: boolean
    }
  }
}

const RETRIES = 2

/** Worth an automatic retry: the network or a gateway failed, not the request. */
const mayPass = (failure: Failure): boolean =>
  failure.kind === 'no-response' || (failure.kind === 'refused' && [502, 503, 504].includes(failure.status))

export function createQueries(api: Api) {
  const queryClient = new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 30_000,
        retry: (failures, error) => error instanceof CallError && mayPass(error.failure) && failures < RETRIES,
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

  /** The same without a cache, for callers that combine several reads. Throws on failure, as queries do. */
  async function fetchRead<Name extends ReadName>(
    name: Name,
    request: CallRequest<Name>,
    signal: AbortSignal,
  ): Promise<DataOf<Name>> {
    const result = await api.call(name, request, { quiet: true, signal })
    if (!result.ok) throw new CallError(result.error)
    return result.value
  }

  /** Nothing is requested between the end of a session and the login page. */
  const mayAsk = (name: ReadName) => () => routes[name].access === 'open' || session.get().token !== null

  /**
   * A read route as a query: key and fetcher together. The key contains the account, so members never share a cache.
   */
  const read = <Name extends ReadName>(name: Name, request: CallRequest<Name>) =>
    queryOptions({
      queryKey: [name, session.get().account, request] as const,
      enabled: mayAsk(name),
      queryFn: ({ signal }) => fetchRead(name, request, signal),
    })

  /** The same for a list, one page after another. */
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
