import rateLimit, { type RateLimitPluginOptions } from '@fastify/rate-limit'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Redis } from 'ioredis'
import type { Logger } from 'pino'

/**
 * Calls a minute. Mobile networks and offices share an address among thousands of members, and an open app calls about
 * once a minute. So `address` only stops floods: also of invented tokens, each of which costs one look-up in an index.
 * The other limits of an address are for calls without a session: `publicReads` for those that ask the database each
 * time, and `withoutToken` for signing in and reports of errors.
 */
const LIMITS = {
  address: 6_000,
  publicReads: 1_200,
  withoutToken: 600,
  account: 300,
  signing: 60,
  inviteLookup: 10,
  protecting: 20,
  depositReports: 20,
  clientReports: 10,
} as const

export type Limit = keyof typeof LIMITS

/** These limits are counted by the session's account, the others by IP address. */
const BY_ACCOUNT: ReadonlySet<Limit> = new Set(['account', 'protecting', 'depositReports'])

/** Counts a call. Returns the seconds that the caller must wait, or null if the call may pass. */
export type RateLimits = (limit: Limit, request: FastifyRequest) => Promise<number | null>

type Options = { enabled: boolean; redisUrl: string | null; log: Logger }
type Limiters = Record<Limit, ReturnType<FastifyInstance['createRateLimit']>>

export async function createRateLimits(app: FastifyInstance, options: Options): Promise<RateLimits> {
  if (!options.enabled) {
    options.log.warn('rate limits are off')
    return async () => null
  }
  // Each process also counts in its own memory, so that limits remain if Redis is unavailable.
  const counters = [await createLimiters(app, () => ({ cache: 50_000 }))]
  if (options.redisUrl === null) options.log.warn('rate limits are counted in this process alone: REDIS_URL is not set')
  else {
    const redis = connectRedis(app, options.redisUrl, options.log)
    counters.push(
      await createLimiters(app, (limit) => ({ redis, nameSpace: `lode:limit:${limit}:`, skipOnError: true })),
    )
  }
  return async (limit, request) => {
    for (const limiters of counters) {
      const verdict = await limiters[limit](request)
      if (!verdict.isAllowed && verdict.isExceeded) return verdict.ttlInSeconds
    }
    return null
  }
}

async function createLimiters(
  app: FastifyInstance,
  store: (limit: Limit) => RateLimitPluginOptions,
): Promise<Limiters> {
  const create = async (limit: Limit) => {
    let limiter: Limiters[Limit] | undefined
    // Each limit has its own scope, because the plugin keeps one store for each scope.
    await app.register(async (scope) => {
      await scope.register(rateLimit, { ...store(limit), global: false, max: LIMITS[limit], timeWindow: 60_000 })
      limiter = scope.createRateLimit(BY_ACCOUNT.has(limit) ? { keyGenerator: sessionAccount } : {})
    })
    if (!limiter) throw new Error('the rate limit plugin did not load')
    return limiter
  }
  return {
    address: await create('address'),
    publicReads: await create('publicReads'),
    withoutToken: await create('withoutToken'),
    account: await create('account'),
    signing: await create('signing'),
    inviteLookup: await create('inviteLookup'),
    protecting: await create('protecting'),
    depositReports: await create('depositReports'),
    clientReports: await create('clientReports'),
  }
}

function sessionAccount(request: FastifyRequest): string {
  if (!request.session) throw new Error('a limit by account needs a session')
  return request.session.account
}

function connectRedis(app: FastifyInstance, url: string, log: Logger): Redis {
  const redis = new Redis(url, {
    connectTimeout: 1_000,
    commandTimeout: 250,
    maxRetriesPerRequest: 0,
    enableOfflineQueue: false,
  })
  let shared: boolean | null = null
  const logIfChanged = (nowShared: boolean) => {
    if (shared === nowShared) return
    shared = nowShared
    if (shared) log.info('rate limits are counted in Redis, for all processes together')
    else log.warn('Redis is unavailable: rate limits are counted in this process alone')
  }
  redis.on('ready', () => logIfChanged(true))
  redis.on('error', () => logIfChanged(false))
  redis.on('close', () => logIfChanged(false))
  app.addHook('onClose', async () => {
    redis.removeAllListeners()
    redis.disconnect()
  })
  return redis
}
