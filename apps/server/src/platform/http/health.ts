import type { FastifyInstance } from 'fastify'
import type { Database } from '../db/database.ts'
import { missingMigrations } from '../db/migrate.ts'
import type { Metrics } from '../telemetry/metrics.ts'
import { isInternalCaller } from './peer.ts'

type Health = {
  readonly db: Database
  readonly metrics: Metrics
  /** Any other reason, in words, why the process cannot do its work, or null. */
  readonly trouble: () => string | null
  /** Further entries of `/readyz`, by name. None of them makes the process unready. */
  readonly notes?: () => Readonly<Record<string, string>>
}

/**
 * `/healthz`: the process runs. `/readyz`: it can do its work. The database answers and has every migration that this
 * program needs, and the process reports no trouble. `/metrics`: for our own network only.
 */
export function mountHealth(app: FastifyInstance, { db, metrics, trouble, notes = () => ({}) }: Health): void {
  const hidden = { schema: { hide: true } }

  app.get('/healthz', hidden, (_request, reply) => reply.header('cache-control', 'no-store').send({ status: 'ok' }))

  const missingLately = remembered(() => missingMigrations(db))

  app.get('/readyz', hidden, async (request, reply) => {
    reply.header('cache-control', 'no-store')
    try {
      const missing = await missingLately()
      if (missing.length > 0) {
        request.log.warn({ missing }, 'not ready: migrations are missing')
        return reply.code(503).send({ status: 'migrations missing' })
      }
      const found = trouble()
      if (found === null) return reply.send({ status: 'ready', ...notes() })
      request.log.warn({ trouble: found }, 'not ready')
      return reply.code(503).send({ status: found, ...notes() })
    } catch (error) {
      request.log.warn({ err: error }, 'not ready: the database does not answer')
      return reply.code(503).send({ status: 'database unavailable' })
    }
  })

  app.get('/metrics', hidden, async (request, reply) => {
    if (!isInternalCaller(request.raw)) return reply.callNotFound()
    return reply.type(metrics.registry.contentType).send(await metrics.registry.metrics())
  })
}

const REMEMBERED_MS = 1_000

/** Anybody may call this at any rate, so an answer is reused for a second and the database is asked once. */
function remembered<T>(ask: () => Promise<T>): () => Promise<T> {
  let answer: Promise<T> | undefined
  let askedAt = 0
  return () => {
    const now = performance.now()
    if (answer === undefined || now - askedAt >= REMEMBERED_MS) {
      answer = ask()
      askedAt = now
    }
    return answer
  }
}
