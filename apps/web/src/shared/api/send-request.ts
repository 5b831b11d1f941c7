import type { RouteName, routes } from '@lode/wire'

type SendOptions = {
  readonly headers: Record<string, string>
  readonly signal: AbortSignal
  readonly keepalive: boolean
}

/**
 * Sends the input as JSON or, for a GET, as the query string. A query string that is not empty also gets the time, so
 * that no cache answers.
 */
export function sendRequest(
  { method, path }: (typeof routes)[RouteName],
  input: Record<string, unknown>,
  { baseUrl, now }: { readonly baseUrl: string; readonly now: () => number },
  options: SendOptions,
): Promise<Response> {
  const init: RequestInit = {
    ...options,
    method,
    cache: 'no-store',
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
  params.set('_t', String(now()))
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
