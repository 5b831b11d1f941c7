import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import type { Database } from '../db/database.ts'
import { findMissingMigrations } from '../db/migrate.ts'
import type { Metrics } from '../telemetry/metrics.ts'
import { isInternalCaller } from './internal-caller.ts'

type Notes = Readonly<Record<string, string>>

type HealthOptions = {
  readonly db: Database
  readonly metrics: Metrics
  /** Returns a text if the process cannot do its work for another reason than the database; null if it can. */
  readonly trouble: () => string | null
  /** Further entries of `/readyz`, by name. None of them makes the process unready. */
  readonly notes?: () => Notes | Promise<Notes>
}

/**
 * `/healthz`: the process runs. `/readyz`: it can do its work, which means that the database answers, commits, has every
 * migration that this program needs, and `trouble` returns null. `/metrics`: answers callers in our own network only.
 */
export function mountHealth(app: FastifyInstance, { db, metrics, trouble, notes = () => ({}) }: HealthOptions): void {
  const hidden = { schema: { hide: true } }

  app.get('/healthz', hidden, (_request, reply) => reply.header('cache-control', 'no-store').send({ status: 'ok' }))

  const readMissingCached = cacheBriefly(() => findMissingMigrations(db))
  const findCommitProblemCached = cacheBriefly(
    limitTime(() => findCommitProblem(db), {
      onFailure: (error) => app.log.warn({ err: error }, 'the database did not commit'),
      otherwise: COMMITS_DO_NOT_RETURN,
      limitMs: COMMIT_LIMIT_MS,
    }),
  )
  const readNotesCached = cacheBriefly(
    limitTime(async () => notes(), {
      onFailure: (error) => app.log.warn({ err: error }, 'the notes of /readyz are not known'),
      otherwise: NOTES_NOT_KNOWN,
      limitMs: NOTES_LIMIT_MS,
    }),
  )

  app.get('/readyz', hidden, async (request, reply) => {
    reply.header('cache-control', 'no-store')
    try {
      const missing = await readMissingCached()
      if (missing.length > 0) {
        request.log.warn({ missing }, 'not ready: migrations are missing')
        return reply.code(503).send({ status: 'migrations missing' })
      }
    } catch (error) {
      request.log.warn({ err: error }, 'not ready: the database does not answer')
      return reply.code(503).send({ status: 'database unavailable' })
    }
    const found = (await findCommitProblemCached()) ?? trouble()
    const known = await readNotesCached()
    if (found === null) return reply.send({ status: 'ready', ...known })
    request.log.warn({ trouble: found }, 'not ready')
    return reply.code(503).send({ status: found, ...known })
  })

  app.get('/metrics', hidden, async (request, reply) => {
    if (!isInternalCaller(request.raw)) return reply.callNotFound()
    return reply.type(metrics.registry.contentType).send(await metrics.registry.metrics())
  })
}

/** A commit that takes longer waits for a standby that is away. */
const COMMIT_LIMIT_MS = 2_000
const COMMITS_DO_NOT_RETURN = 'commits do not return'

/**
 * Returns why nothing can be written, or null. A standby answers reads, and so does a primary whose commits wait for a
 * standby that is away. So this writes a message into the log of changes, which changes no table and which nobody reads.
 */
async function findCommitProblem(db: Database): Promise<string | null> {
  const { rows } = await sql<{ read_only: boolean }>`
    select read_only, case when not read_only then pg_logical_emit_message(true, 'lode', 'ready?') end
    from (select current_setting('transaction_read_only')::boolean as read_only) server`.execute(db)
  return rows[0]?.read_only === false ? null : 'the database is read-only'
}

const NOTES_NOT_KNOWN: Notes = { notes: 'not known' }
const NOTES_LIMIT_MS = 1_000

type Limit<T> = { readonly onFailure: (error: unknown) => void; readonly otherwise: T; readonly limitMs: number }

/**
 * Returns `otherwise` if the read fails, or takes longer than `limitMs`. A slow read goes on, and no other one begins
 * before it ends: otherwise every request would add one to a database that is slow already.
 */
function limitTime<T>(read: () => Promise<T>, { onFailure, otherwise, limitMs }: Limit<T>): () => Promise<T> {
  let running: Promise<T> | undefined
  return async () => {
    running ??= read()
      .catch((error: unknown) => {
        onFailure(error)
        return otherwise
      })
      .finally(() => {
        running = undefined
      })
    const late = sleep(limitMs, otherwise, { ref: false })
    return Promise.race([running, late])
  }
}

const CACHE_MS = 1_000

/** Reuses an answer for one second, because anybody may call `/readyz` at any rate. */
function cacheBriefly<T>(read: () => Promise<T>): () => Promise<T> {
  let answer: Promise<T> | undefined
  let readAt = 0
  return () => {
    const now = performance.now()
    if (answer === undefined || now - readAt >= CACHE_MS) {
      answer = read()
      readAt = now
    }
    return answer
  }
}
