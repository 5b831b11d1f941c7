import { request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { type DataOf, type Envelope, type RequestOf, type RouteName, routes } from '@lode/wire'

/** `silence`: the request was sent and no answer came. */
export type Reply<Data> =
  | { readonly kind: 'answer'; readonly status: number; readonly body: Envelope<Data> }
  | { readonly kind: 'silence' }

type Options = {
  readonly token?: string
  /** Hangs up this many milliseconds after the request was sent. */
  readonly dropAfterMs?: number
}

const TIMEOUT_MS = 15_000

/** Sends one request once. */
export function call<Name extends RouteName>(
  origin: string,
  name: Name,
  input: RequestOf<Name>,
  { token, dropAfterMs }: Options = {},
): Promise<Reply<DataOf<Name>>> {
  const { method, path } = routes[name]
  const query = method === 'GET' ? `?${new URLSearchParams(input as Record<string, string>)}` : ''
  const body = method === 'POST' ? JSON.stringify(input) : ''
  return new Promise((resolve) => {
    const silence = () => resolve({ kind: 'silence' })
    const sending = request(`${origin}/api${path}${query}`, {
      method,
      headers: {
        connection: 'close',
        ...(body ? { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) } : {}),
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      },
      timeout: TIMEOUT_MS,
    })
    sending.on('error', silence).on('timeout', () => sending.destroy())
    sending.on('response', (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk
      })
      response.on('error', silence).on('end', () => {
        if (!response.complete) return silence()
        resolve({ kind: 'answer', status: response.statusCode ?? 0, body: JSON.parse(text) as Envelope<DataOf<Name>> })
      })
    })
    sending.end(body, () => {
      if (dropAfterMs === undefined) return
      void sleep(dropAfterMs).then(() => {
        sending.destroy()
        silence()
      })
    })
  })
}
