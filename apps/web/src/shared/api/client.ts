import { ok, type Result, refused } from '@lode/kernel'
import { type DataOf, type Language, type RequestOf, type RouteName, routes } from '@lode/wire'
import { languageFacts, type TextFunction } from '../i18n/index.ts'
import { type Failure, failureText } from './failure.ts'
import { type FirstReads, takeFirstRead, untilAborted } from './first-reads.ts'
import { createKeptAnswers, type KeptAnswers, renewed } from './kept-answers.ts'
import { bodyOf, createRefusal, envelopeOf, messageOf, statusText } from './read-answer.ts'
import { createTimeoutSignal, sendRequest } from './send-request.ts'

export const REQUEST_TIMEOUT_MS = 60_000

/** The client's dependencies. They are passed in, so that the client also runs without a page. */
export type ApiPorts = {
  readonly baseUrl: string
  readonly session: () => { readonly token: string | null; readonly account: string | null; readonly lang: Language }
  readonly expireSession: () => void
  readonly toast: { success(text: string): void; error(text: string): void }
  readonly text: TextFunction
  readonly idleSeconds: () => number
  readonly now: () => number
  readonly timeoutMs: number
  /** The reads that the page began before the app. */
  readonly firstReads?: () => FirstReads | undefined
}

type AddedFields<Name extends RouteName> = (typeof routes)[Name]['access'] extends 'open' ? '_t' : '_t' | 'account'

/** The request that a caller passes: the route's request without the fields that the client adds. */
export type CallRequest<Name extends RouteName> = Omit<RequestOf<Name>, AddedFields<Name>>

export type CallOptions = {
  /** The caller shows a failure itself, so there is no toast. */
  readonly quiet?: boolean
  readonly signal?: AbortSignal
  /** The browser completes the request even if the page is closed meanwhile. */
  readonly keepalive?: boolean
}

export type Api = ReturnType<typeof createApi>

export function createApi(ports: ApiPorts) {
  const keptAnswers = createKeptAnswers()

  /** Calls a route by its name. Always resolves: a failure is a value. */
  async function call<Name extends RouteName>(
    name: Name,
    request: CallRequest<Name>,
    options: CallOptions = {},
  ): Promise<Result<DataOf<Name>, Failure>> {
    const outcome = await attempt({ ...ports, keptAnswers }, name, request, options)
    if (!outcome.ok) {
      if (!options.quiet) present(outcome.error)
      return outcome
    }
    if (outcome.value.message) ports.toast.success(outcome.value.message)
    return ok(outcome.value.data)
  }

  /** Shows a failure in a toast, except a canceled call, and a session's end, which `endSession` has already shown. */
  function present(failure: Failure): void {
    if (failure.kind !== 'cancelled' && failure.kind !== 'session-ended')
      ports.toast.error(failureText(ports.text, failure))
  }

  /** For the end of a session: nothing of the member stays in memory. */
  const forget = () => keptAnswers.forget()

  return { call, present, forget }
}

async function attempt<Name extends RouteName>(
  ports: ApiPorts & { keptAnswers: KeptAnswers },
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

  const kept = route.keptBy === 'client' ? ports.keptAnswers.find(name, input) : undefined
  if (kept) headers['If-None-Match'] = kept.tag

  let response: Response
  let body: unknown
  const timeout = createTimeoutSignal(ports.timeoutMs, signal)
  try {
    const { signal } = timeout
    const firstRead = takeFirstRead(ports.firstReads?.(), { path: route.path, input, headers, signal }, ports.now())
    response = await (firstRead ?? sendRequest(route, input, ports, { headers, signal, keepalive }))
    body = bodyOf(await untilAborted(response.text(), signal))
  } catch {
    return refused({ kind: signal?.aborted ? 'cancelled' : 'no-response' })
  } finally {
    timeout.done()
  }

  if (response.status === 304 && kept) return ok({ data: renewed(kept.data, response) as DataOf<Name>, message: '' })
  const envelope = envelopeOf(body)
  const { code } = envelope
  if (response.status === 401 || code === 401) return refused(endSession(ports, token))
  if (!response.ok) return refused(createRefusal(response.status, body, statusText(response.status), ports.text))
  if (typeof code === 'number' && code !== 200)
    return refused(createRefusal(code, body, 'errors.requestFailed', ports.text))

  const data = route.data.safeParse(envelope.data)
  if (code !== 200 || !data.success) return refused({ kind: 'unreadable' })
  if (route.keptBy === 'client') ports.keptAnswers.keep(name, input, response, data.data)
  return ok({ data: data.data as DataOf<Name>, message: messageOf(envelope) ?? '' })
}

/** Ends the session of this token and shows one toast, even for a quiet call, because it concerns the whole app. */
function endSession(ports: ApiPorts, token: string | null): Failure {
  const ended = { kind: 'session-ended' } as const
  // A late answer to an old token must not end a newer session, and must not show the toast twice.
  if (ports.session().token === token) {
    ports.expireSession()
    ports.toast.error(failureText(ports.text, ended))
  }
  return ended
}
