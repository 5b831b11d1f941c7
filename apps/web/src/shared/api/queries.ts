import { type DataOf, type RouteName, routes } from '@lode/wire'
import { infiniteQueryOptions, QueryCache, QueryClient, queryOptions } from '@tanstack/react-query'
import { session } from '../session/index.ts'
import type { Api, CallRequest } from './client.ts'
import { CallError, type Failure } from './failure.ts'

type ReadName = { [Name in RouteName]: (typeof routes)[Name]['method'] extends 'GET' ? Name : never }[RouteName]

/** Reads that come page by page. */
type PagedName = {
  [Name in ReadName]: DataOf<Name> extends { readonly next: string | null } ? Name : never
}[ReadName]

declare module '@tanstack/react-query' {
  interface Register {
    queryMeta: {
      /** It is asked for again and again by itself, and its view says in place that what it shows is old. */
      readonly quiet?: boolean
    }
  }
}

const RETRIES = 2

/** Worth another try by itself: the network or a gateway failed, not the request. */
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
    // Said once, when the last try has failed, and only where it does not show: a view that has nothing yet says it in
    // place, with a way to try again, and a toast would stand before the very words.
    queryCache: new QueryCache({
      onError: (error, query) => {
        if (error instanceof CallError && query.state.data !== undefined && !query.meta?.quiet)
          api.present(error.failure)
      },
    }),
  })

  /** The same without a cache, for what is put together by hand. Throws, as queries do. */
  async function fetchRead<Name extends ReadName>(
    name: Name,
    request: CallRequest<Name>,
    signal: AbortSignal,
  ): Promise<DataOf<Name>> {
    const result = await api.call(name, request, { quiet: true, signal })
    if (!result.ok) throw new CallError(result.error)
    return result.value
  }

  /** In the moment between the end of a session and the login page nothing is asked for. */
  const mayAsk = (name: ReadName) => () => routes[name].access === 'open' || session.get().token !== null

  /** A read of the table as a query: the key and the fetcher together, kept apart by account. */
  const read = <Name extends ReadName>(name: Name, request: CallRequest<Name>) =>
    queryOptions({
      queryKey: [name, session.get().account, request] as const,
      enabled: mayAsk(name),
      queryFn: ({ signal }) => fetchRead(name, request, signal),
    })

  /** The same for a list, page after page. */
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
