import type { RouteName, routes } from '@lode/wire'

type Sent = { readonly headers: Record<string, string>; readonly signal: AbortSignal; readonly keepalive: boolean }

/** Sends the input as JSON or, for a GET, as the query string. `now` keeps caches from answering a GET with a query. */
export function sendRequest(
  { method, path }: (typeof routes)[RouteName],
  input: Record<string, unknown>,
  { baseUrl, now }: { readonly baseUrl: string; readonly now: () => number },
  sent: Sent,
): Promise<Response> {
  const init: RequestInit = {
    ...sent,
    method,
    cache: 'no-store',
    // The token is sent in a header, so no cookie is needed.
    credentials: 'omit',
  }
  const url = `${baseUrl}${path}`
  if (method === 'POST') {
    sent.headers['Content-Type'] = 'application/json'
    return fetch(url, { ...init, body: JSON.stringify(input) })
  }
  const params = new URLSearchParams()
  for (const [key, value] of Object.entries(input)) if (value !== undefined) params.set(key, String(value))
  if (params.toString() === '') return fetch(url, init)
  params.set('_t', String(now()))
  return fetch(`${url}?${params}`, init)
}

/** One signal for the timeout and the caller's own signal. `AbortSignal.any` is too new for some wallets' browsers. */
export function endingAfter(timeoutMs: number, asked: AbortSignal | undefined) {
  const controller = new AbortController()
  const abort = () => controller.abort()
  const timer = setTimeout(abort, timeoutMs)
  if (asked?.aborted) abort()
  asked?.addEventListener('abort', abort)
  return {
    signal: controller.signal,
    done() {
      clearTimeout(timer)
      asked?.removeEventListener('abort', abort)
    },
  }
}
