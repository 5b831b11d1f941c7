import { type RouteName, routes } from '@lode/wire'
import { QueryCache, QueryClient, queryOptions } from '@tanstack/react-query'
import { session } from '../session/index.ts'
import type { Api, CallRequest } from './client.ts'
import { CallError, type Failure } from './failure.ts'

type ReadName = { [Name in RouteName]: (typeof routes)[Name]['method'] extends 'GET' ? Name : never }[RouteName]

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
        if (error instanceof CallError && query.state.data !== undefined) api.present(error.failure)
      },
    }),
  })

  /**
   * A read of the table as a query: the key and the fetcher together, kept apart by account. In the moment between the end
   * of a session and the login page nothing is asked for.
   */
  const read = <Name extends ReadName>(name: Name, request: CallRequest<Name>) =>
    queryOptions({
      queryKey: [name, session.get().account, request] as const,
      enabled: () => routes[name].access === 'open' || session.get().token !== null,
      queryFn: async ({ signal }) => {
        const result = await api.call(name, request, { quiet: true, signal })
        if (!result.ok) throw new CallError(result.error)
        return result.value
      },
    })

  return { queryClient, read }
}
