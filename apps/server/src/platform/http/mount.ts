import type { Result } from '@lode/kernel'
import {
  type DataOf,
  envelope,
  type Language,
  type RefusalCode,
  type RefusalOf,
  type RequestOf,
  type Route,
  type RouteName,
  refusals,
  routes,
} from '@lode/wire'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { getAddress, isAddress } from 'viem'
import * as z from 'zod/mini'
import { sendRefusal, success } from './answer.ts'
import { isUnchanged, sendUnchanged } from './kept-answers.ts'
import { createPageCursors, isList, type Page } from './page.ts'
import type { Limit, RateLimits } from './rate-limits.ts'
// Imports the declarations of `request.session` and `request.language`, also for packages that import a server module.
import type {} from './server.ts'
import { type Authenticate, bearerToken, idleSeconds, type Session } from './session.ts'

export const API_PREFIX = '/api'

type Call<Name extends RouteName> = {
  readonly input: z.output<(typeof routes)[Name]['request']>
  readonly language: Language
  readonly request: FastifyRequest
  /** Sets a header of the answer. */
  readonly setHeader: (name: string, value: string) => void
} & ((typeof routes)[Name]['access'] extends 'open' ? unknown : { readonly session: Session }) &
  ('cursor' extends keyof RequestOf<Name> ? { readonly page: Page } : unknown)

type Handler<Name extends RouteName> = (call: Call<Name>) => Promise<Result<DataOf<Name>, RefusalOf<Name>>>

type MountOptions<Name extends RouteName> = {
  /** A further limit for this route, beside those by address and account. With `when`, only some calls are counted. */
  limit?: { kind: Limit; when?: (input: Call<Name>['input']) => boolean }
}

/** Mounts a route of the table of routes. The handler must have the types of this route. */
export type Mount = <Name extends RouteName>(name: Name, handler: Handler<Name>, options?: MountOptions<Name>) => void

type MountContext = {
  authenticate: Authenticate
  rateLimits: RateLimits
  /** The key that encrypts the cursors of lists is derived from it. */
  secret: string
}

export function createMount(app: FastifyInstance, { authenticate, rateLimits, secret }: MountContext): Mount {
  const cursors = createPageCursors(secret)

  /** Returns true if the call was refused, so that the handler stops. */
  async function refuseIfExceeded(limit: Limit, request: FastifyRequest, reply: FastifyReply): Promise<boolean> {
    const waitSeconds = await rateLimits(limit, request)
    if (waitSeconds === null) return false
    sendRefusal(reply.header('retry-after', waitSeconds), request.language, 'rate-limited')
    return true
  }

  /** Runs before the body is read, so that the server does not parse a call without a session or above a limit. */
  const guard = (route: Route) => async (request: FastifyRequest, reply: FastifyReply) => {
    reply.header('cache-control', 'no-store')
    if (await refuseIfExceeded('address', request, reply)) return reply
    if (route.access === 'open') {
      const isCounted = route.keptBy !== 'anybody'
      return isCounted && (await refuseIfExceeded('withoutToken', request, reply)) ? reply : undefined
    }
    const token = bearerToken(request)
    if (token === null) return sendRefusal(reply, request.language, 'session-expired')
    const session = await authenticate(token, idleSeconds(request))
    if (session === null) return sendRefusal(reply, request.language, 'session-expired')
    request.session = session
    if (await refuseIfExceeded('account', request, reply)) return reply
    if (session.mode === 'exit' && route.access !== 'exit') return sendRefusal(reply, request.language, 'exit-only')
  }

  return (name, handler, options = {}) => {
    const route: Route = routes[name]
    const inputSource = route.method === 'GET' ? 'query' : 'body'
    app.route({
      method: route.method,
      url: `${API_PREFIX}${route.path}`,
      config: { wire: route },
      schema: {
        operationId: name,
        summary: route.summary,
        tags: [name.split('/', 1)[0] ?? name],
        [route.method === 'GET' ? 'querystring' : 'body']: route.request,
        response: { 200: envelope(route.data), ...refusalSchemas(route) },
        ...(route.access === 'open' ? {} : { security: [{ bearer: [] }] }),
      },
      onRequest: guard(route),
      handler: async (request, reply) => {
        const input = request[inputSource] as Call<typeof name>['input']
        const { session, language } = request
        if (session) {
          const refusal = accountRefusal(session, input)
          if (refusal) return sendRefusal(reply, language, refusal)
        }
        const { limit } = options
        if (limit && (limit.when?.(input) ?? true) && (await refuseIfExceeded(limit.kind, request, reply))) return reply
        const viewer = session?.memberId ?? NOBODY
        const page = isList(route) ? cursors.readPage(name, viewer, input) : undefined
        if (page === null) return sendRefusal(reply, language, 'format')
        const setHeader = (header: string, value: string) => void reply.header(header, value)
        const result = await handler({ input, language, request, setHeader, session, page } as Call<typeof name>)
        if (!result.ok) return sendRefusal(reply, language, result.error)
        // The tag is that of the data as they are sent: after a change of the secret, a list has other cursors.
        const data = page === undefined ? result.value : cursors.sealNext(name, viewer, input, result.value)
        return isUnchanged(route, request, reply, data) ? sendUnchanged(reply) : success(data)
      },
    })
  }
}

/** The viewer of a public list. Members have larger ids. */
const NOBODY = 0n

/** Every call of a member names its account. Returns the refusal if that is not the account of the session. */
function accountRefusal(session: Session, input: object): RefusalCode | null {
  const account = 'account' in input ? input.account : undefined
  if (typeof account !== 'string' || !isAddress(account)) return 'account-format'
  return getAddress(account) === session.account ? null : 'account-mismatch'
}

/** The schemas of a route's refusals by HTTP status, for the OpenAPI document. */
function refusalSchemas(route: Route): Record<string, z.ZodMiniType> {
  const byStatus = Object.groupBy(route.refusals, (reason) => refusals[reason])
  return Object.fromEntries(
    Object.entries(byStatus).map(([status, reasons = []]) => [
      status,
      z.extend(envelope(z.null()), { reason: z.enum(reasons) }),
    ]),
  )
}
