import { ok, type Result, refused } from '@lode/kernel'
import { type DataOf, isRefusalCode, type Language, type RequestOf, type RouteName, routes } from '@lode/wire'
import type { TFunction } from 'i18next'
import { type ErrorText, languageFacts } from '../i18n/index.ts'
import { type Failure, failureText } from './failure.ts'

export const REQUEST_TIMEOUT_MS = 60_000

/** What the client needs from the rest of the app, so that it runs without a page. */
export type ApiPorts = {
  readonly baseUrl: string
  readonly session: () => { readonly token: string | null; readonly account: string | null; readonly lang: Language }
  readonly expireSession: () => void
  readonly toast: { success(text: string): void; error(text: string): void }
  readonly text: TFunction
  readonly idleSeconds: () => number
  readonly now: () => number
  readonly timeoutMs: number
}

type Added<Name extends RouteName> = (typeof routes)[Name]['access'] extends 'open' ? '_t' : '_t' | 'account'

/** What a caller gives: the request of the table without what the client adds by itself. */
export type CallRequest<Name extends RouteName> = Omit<RequestOf<Name>, Added<Name>>

export type CallOptions = {
  /** The caller shows a failure itself, so there is no toast. */
  readonly quiet?: boolean
  readonly signal?: AbortSignal
  /** Sent to the end, also when the page is closed meanwhile. */
  readonly keepalive?: boolean
}

export type Api = ReturnType<typeof createApi>

export function createApi(ports: ApiPorts) {
  /** Calls a route of the table by its name. Resolves always; what can go wrong is a value. */
  async function call<Name extends RouteName>(
    name: Name,
    request: CallRequest<Name>,
    options: CallOptions = {},
  ): Promise<Result<DataOf<Name>, Failure>> {
    const outcome = await attempt(name, request, options)
    if (!outcome.ok) {
      if (!options.quiet) present(outcome.error)
      return outcome
    }
    if (outcome.value.message) ports.toast.success(outcome.value.message)
    return ok(outcome.value.data)
  }

  /** Says a failure in a toast. The end of a session has been said already, whoever asked: it concerns the whole app. */
  function present(failure: Failure): void {
    if (failure.kind !== 'cancelled' && failure.kind !== 'session-ended')
      ports.toast.error(failureText(ports.text, failure))
  }

  async function attempt<Name extends RouteName>(
    name: Name,
    request: CallRequest<Name>,
    { signal, keepalive = false }: CallOptions,
  ): Promise<Result<{ data: DataOf<Name>; message: string }, Failure>> {
    const route = routes[name]
    const { token, account, lang } = ports.session()
    const headers: Record<string, string> = {
      Accept: 'application/json',
      'Accept-Language': languageFacts[lang].locale,
      'X-Idle-Seconds': String(ports.idleSeconds()),
    }
    const input: Record<string, unknown> = { ...request }
    if (route.access !== 'open') {
      if (token === null) return refused({ kind: 'blocked' })
      if (account === null) return refused({ kind: 'no-account' })
      headers.Authorization = `Bearer ${token}`
      input.account = account
    }

    let response: Response
    let body: unknown
    const ending = endingAfter(ports.timeoutMs, signal)
    try {
      response = await send(route, input, { headers, signal: ending.signal, keepalive })
      body = bodyOf(await response.text())
    } catch {
      return refused({ kind: signal?.aborted ? 'cancelled' : 'no-response' })
    } finally {
      ending.done()
    }

    const envelope = isRecord(body) ? body : {}
    if (response.status === 401 || envelope.code === 401) {
      const ended = { kind: 'session-ended' } as const
      // An answer to an old token must not end the session that has begun meanwhile, nor say a second time that one ended.
      if (ports.session().token === token) {
        ports.expireSession()
        ports.toast.error(failureText(ports.text, ended))
      }
      return refused(ended)
    }
    if (!response.ok) return refused(refusal(response.status, body, statusText(response.status)))
    if (typeof envelope.code === 'number' && envelope.code !== 200)
      return refused(refusal(envelope.code, body, 'errors.requestFailed'))

    const data = route.data.safeParse(envelope.data)
    if (envelope.code !== 200 || !data.success) return refused({ kind: 'unreadable' })
    return ok({ data: data.data as DataOf<Name>, message: messageOf(envelope) ?? '' })
  }

  function send(
    route: (typeof routes)[RouteName],
    input: Record<string, unknown>,
    how: { headers: Record<string, string>; signal: AbortSignal; keepalive: boolean },
  ): Promise<Response> {
    const init: RequestInit = {
      ...how,
      method: route.method,
      cache: 'no-store',
      // The token travels in a header that we set; no cookie is ever needed.
      credentials: 'omit',
    }
    const url = `${ports.baseUrl}${route.path}`
    if (route.method === 'POST') {
      how.headers['Content-Type'] = 'application/json'
      return fetch(url, { ...init, body: JSON.stringify(input) })
    }
    const params = new URLSearchParams()
    for (const [key, value] of Object.entries(input)) if (value !== undefined) params.set(key, String(value))
    if (params.toString() === '') return fetch(url, init)
    params.set('_t', String(ports.now()))
    return fetch(`${url}?${params}`, init)
  }

  function refusal(status: number, body: unknown, otherwise: ErrorText): Failure {
    const { reason, fields } = isRecord(body) ? body : {}
    return {
      kind: 'refused',
      status,
      reason: isRefusalCode(reason) ? reason : null,
      said: textOf(body) ?? null,
      otherwise,
      fields: fieldsOf(fields),
    }
  }

  function fieldsOf(fields: unknown): Record<string, string> {
    if (!isRecord(fields)) return {}
    return Object.fromEntries(
      Object.entries(fields).flatMap(([field, wrong]) =>
        typeof wrong === 'string' ? [[field, isRefusalCode(wrong) ? ports.text(`refusals.${wrong}`) : wrong]] : [],
      ),
    )
  }

  return { call, present }
}

/** The time-out and the caller's wish to stop in one signal. `AbortSignal.any` is too new for some wallets' browsers. */
function endingAfter(timeoutMs: number, asked: AbortSignal | undefined) {
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

const statusesWithText = [400, 403, 404, 408, 500, 501, 502, 503, 504] as const
const isStatusWithText = (status: number): status is (typeof statusesWithText)[number] =>
  statusesWithText.some((known) => known === status)

const statusText = (status: number): ErrorText =>
  isStatusWithText(status) ? `errors.status${status}` : 'errors.netError'

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function bodyOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

const said = (value: unknown): string | undefined =>
  typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined

const messageOf = (envelope: Record<string, unknown>): string | undefined =>
  said(envelope.message) ?? said(envelope.msg)

/** A proxy's error page is a string body too, but nothing to read out to a member. */
const LONGEST_STRING_BODY = 200
function textOf(body: unknown): string | undefined {
  if (isRecord(body)) return messageOf(body) ?? said(body.error)
  const text = said(body)
  return text && text.length <= LONGEST_STRING_BODY && !text.startsWith('<') ? text : undefined
}
