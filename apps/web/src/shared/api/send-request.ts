import type { RouteName, routes } from '@lode/wire'

type SendOptions = {
  readonly headers: Record<string, string>
  readonly signal: AbortSignal
  readonly keepalive: boolean
}

/**
 * Sends the input as JSON or, for a GET, as the query string. A member's read also gets the time, so that no cache
 * answers. A public read may be answered by a cache in front of the server, and the browser asks each time whether its
 * own copy is still true.
 */
export function sendRequest(
  { method, path, keptBy }: (typeof routes)[RouteName],
  input: Record<string, unknown>,
  { baseUrl, now }: { readonly baseUrl: string; readonly now: () => number },
  options: SendOptions,
): Promise<Response> {
  const init: RequestInit = {
    ...options,
    method,
    cache: keptBy === 'anybody' ? 'no-cache' : 'no-store',
    // The token is sent in a header. Only a sign-in has a cookie, by which the server recognizes this browser.
    credentials: path.startsWith('/sign/') ? 'same-origin' : 'omit',
  }
  const url = `${baseUrl}${path}`
  if (method === 'POST') {
    options.headers['Content-Type'] = 'application/json'
    return fetch(url, { ...init, body: JSON.stringify(input) })
  }
  const params = new URLSearchParams()
  for (const [key, value] of Object.entries(input)) if (value !== undefined) params.set(key, String(value))
  if (params.toString() === '') return fetch(url, init)
  if (keptBy !== 'anybody') params.set('_t', String(now()))
  return fetch(`${url}?${params}`, init)
}

/** Joins the timeout and the caller's signal in one. `AbortSignal.any` is too new for some wallets' browsers. */
export function createTimeoutSignal(timeoutMs: number, callerSignal: AbortSignal | undefined) {
  const controller = new AbortController()
  const abort = () => controller.abort()
  const timer = setTimeout(abort, timeoutMs)
  if (callerSignal?.aborted) abort()
  callerSignal?.addEventListener('abort', abort)
  return {
    signal: controller.signal,
    done() {
      clearTimeout(timer)
      callerSignal?.removeEventListener('abort', abort)
    },
  }
}
