import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import helmet from '@fastify/helmet'
import type { Language } from '@lode/wire'
import fastify, {
  type FastifyBaseLogger,
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify'
import { hasZodFastifySchemaValidationErrors, serializerCompiler, validatorCompiler } from 'fastify-type-provider-zod'
import type { Logger } from 'pino'
import type { ApiConfig } from '../config/config.ts'
import { isDatabaseUnavailable } from '../db/database-unavailable.ts'
import type { Metrics } from '../telemetry/metrics.ts'
import { sendRefusal } from './answer.ts'
import { contentSecurityPolicy } from './content-security-policy.ts'
import { sendFormatRefusal } from './format-refusal.ts'
import { isListed } from './internal-caller.ts'
import { languageOf } from './language.ts'
import type { Session } from './session.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** All mounted routes. A test compares them with the table of routes. */
    mountedRoutes: { method: string; url: string }[]
  }
  interface FastifyRequest {
    language: Language
    session: Session | null
  }
}

const BODY_LIMIT_BYTES = 32 * 1024
const REQUEST_ID = /^[\w-]{8,64}$/

type Options = {
  config: Pick<ApiConfig, 'trustedProxies' | 'publicOrigin' | 'chain' | 'walletConnect'>
  log: Logger
  metrics: Metrics
}

/** Fastify with the product's conventions: request id and security headers in every answer, errors as envelopes. */
export async function createHttpServer({ config, log, metrics }: Options): Promise<FastifyInstance> {
  const isTrusted = (address: string | undefined) => isListed(config.trustedProxies, address)
  const loggerInstance: FastifyBaseLogger = log
  const app = fastify({
    loggerInstance,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: BODY_LIMIT_BYTES,
    trustProxy: isTrusted,
    requestIdHeader: false,
    genReqId: (request) => requestId(request, isTrusted(request.socket.remoteAddress)),
    requestTimeout: 30_000,
    keepAliveTimeout: 72_000,
    // When the server stops, it closes idle connections of browsers at once.
    forceCloseConnections: 'idle',
    frameworkErrors: (_error, request, reply) => {
      sendRefusal(reply, languageOf(request.headers['accept-language']), 'format')
    },
  })
  app.setValidatorCompiler(validatorCompiler)
  app.setSerializerCompiler(serializerCompiler)
  app.removeContentTypeParser('text/plain')

  const mountedRoutes: FastifyInstance['mountedRoutes'] = []
  app.decorate('mountedRoutes', mountedRoutes)
  app.addHook('onRoute', ({ method, url }) => {
    for (const each of [method].flat()) mountedRoutes.push({ method: each, url })
  })
  app.decorateRequest('language', 'en')
  app.decorateRequest('session', null)
  app.addHook('onRequest', async (request, reply) => {
    request.language = languageOf(request.headers['accept-language'])
    reply.header('x-request-id', request.id)
  })
  app.addHook('onResponse', async (request, reply) => {
    // The label is the route pattern, not the path: one label for every mistyped path would fill the memory.
    const route = request.routeOptions.url ?? 'unmatched'
    const seconds = reply.elapsedTime / 1_000
    metrics.requestSeconds.observe({ route, status: String(reply.statusCode) }, seconds)
    const level = reply.statusCode >= 500 ? 'error' : 'info'
    request.log[level]({ method: request.method, route, status: reply.statusCode, seconds, ip: request.ip }, 'answered')
  })
  await app.register(helmet, {
    contentSecurityPolicy: { useDefaults: false, directives: contentSecurityPolicy(config) },
    crossOriginOpenerPolicy: { policy: 'same-origin-allow-popups' },
    // An invitation link contains the code, so no referrer is sent.
    referrerPolicy: { policy: 'no-referrer' },
    strictTransportSecurity: config.publicOrigin.protocol === 'https:' ? { maxAge: 31_536_000 } : false,
    xFrameOptions: { action: 'deny' },
  })
  app.addHook('onSend', async (_request, reply) => {
    reply.header('permissions-policy', 'camera=(), geolocation=(), microphone=(), payment=(), usb=()')
  })
  app.setErrorHandler(answerError)
  return app
}

/** For a server without the web app. With the web app, serveWebApp() sets the handler. */
export function refuseUnknownAddresses(app: FastifyInstance): void {
  app.setNotFoundHandler((request, reply) => sendRefusal(reply, request.language, 'not-found'))
}

/** Accepts a request id only from our own proxies, because a stranger could write anything into our logs with it. */
function requestId(request: IncomingMessage, fromTrustedProxy: boolean): string {
  const given = request.headers['x-request-id']
  return fromTrustedProxy && typeof given === 'string' && REQUEST_ID.test(given) ? given : randomUUID()
}

function answerError(error: FastifyError, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (hasZodFastifySchemaValidationErrors(error)) return sendFormatRefusal(request, reply, error.validation)
  const status = error.statusCode ?? 500
  // Broken JSON, a body that is too large, or a wrong content type.
  if (status >= 400 && status < 500) return sendRefusal(reply, request.language, 'format')
  if (isDatabaseUnavailable(error)) {
    request.log.error({ err: error }, 'the database is unavailable')
    return sendRefusal(reply, request.language, 'unavailable')
  }
  request.log.error({ err: error }, 'a call failed')
  return sendRefusal(reply, request.language, 'internal')
}
