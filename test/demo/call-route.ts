import { type DataOf, type Envelope, type RequestOf, type RouteName, routes } from '@lode/wire'

export class Refusal extends Error {
  readonly reason: string | undefined

  constructor(what: string, reason: string | undefined) {
    super(what)
    this.reason = reason
  }
}

/** Calls a route and throws on any refusal. */
export async function callRoute<Name extends RouteName>(
  origin: string,
  name: Name,
  input: RequestOf<Name>,
  token?: string,
): Promise<DataOf<Name>> {
  const { method, path } = routes[name]
  const query = method === 'GET' ? `?${new URLSearchParams(input as Record<string, string>)}` : ''
  const response = await fetch(`${origin}/api${path}${query}`, {
    method,
    headers: {
      ...(method === 'POST' ? { 'content-type': 'application/json' } : {}),
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    },
    ...(method === 'POST' ? { body: JSON.stringify(input) } : {}),
  })
  const body = (await response.json()) as Envelope<DataOf<Name>>
  if (response.status !== 200)
    throw new Refusal(`${name} ${JSON.stringify(input)}: ${JSON.stringify(body)}`, body.reason)
  return body.data
}

/** Runs at most this many at the same time. The results are in the order of the list. */
export async function mapConcurrently<T, R>(
  list: readonly T[],
  concurrency: number,
  work: (one: T) => Promise<R>,
): Promise<R[]> {
  const results: R[] = []
  const queue = list.entries()
  const workers = Array.from({ length: concurrency }, async () => {
    for (const [place, one] of queue) results[place] = await work(one)
  })
  await Promise.all(workers)
  return results
}
