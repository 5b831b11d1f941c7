import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import type { Database } from '../db/database.ts'
import { AnswerMissing } from '../db/database-unavailable.ts'
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
    createCommitProbe(db, (error) => app.log.warn({ err: error }, 'the database did not commit')),
  )
  const readNotesCached = cacheBriefly(
    limitTime(async () => notes(), {
      onFailure: (error) => app.log.warn({ err: error }, 'the notes of /readyz are not known'),
      otherwise: NOTES_NOT_KNOWN,
    }),
  )

  app.get('/readyz', hidden, async (request, reply) => {
    reply.header('cache-control', 'no-store')
    let commitProblem: string | null
    try {
      const missing = await readMissingCached()
      if (missing.length > 0) {
        request.log.warn({ missing }, 'not ready: migrations are missing')
        return reply.code(503).send({ status: 'migrations missing' })
      }
      commitProblem = await findCommitProblemCached()
    } catch (error) {
      request.log.warn({ err: error }, 'not ready: the database does not answer')
      return reply.code(503).send({ status: 'database unavailable' })
    }
    const found = commitProblem ?? trouble()
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
 * Tells why nothing can be written, or null. Fails if no connection is free in time. While a commit waits, no other one
 * begins, also if its answer was given up: each would take a connection from those who read.
 */
function createCommitProbe(db: Database, onFailure: (error: unknown) => void): () => Promise<string | null> {
  let running: Promise<string | null> | undefined
  const begin = () => {
    const { promise, resolve, reject } = Promise.withResolvers<string | null>()
    void db
      .connection()
      .execute(async (connection) => {
        const timer = setTimeout(() => resolve(COMMITS_DO_NOT_RETURN), COMMIT_LIMIT_MS)
        try {
          resolve(await findCommitProblem(connection))
        } catch (error) {
          onFailure(error)
          resolve(COMMITS_DO_NOT_RETURN)
          return error
        } finally {
          clearTimeout(timer)
        }
      })
      // Only after the connection was given back, so that closing the pool can end it.
      .then((error) => (error instanceof AnswerMissing ? error.ended : undefined), reject)
      .finally(() => {
        running = undefined
      })
    return promise
  }
  return () => {
    running ??= begin()
    return running
  }
}

/**
 * Returns why nothing can be written, or null. A standby answers reads, and so does a primary whose commits wait for a
 * standby that is away. So this writes a message into the log of changes, which changes no table and which nobody reads.
 */
async function findCommitProblem(db: Database): Promise<string | null> {
  const { rows } = await sql<{ read_only: boolean }>`
    select read_only, case when not read_only then pg_logical_emit_message(true, 'lode', 'ready?') end
    from (select current_setting('transaction_read_only')::boolean as read_only) server`.execute(db)
  if (rows[0]?.read_only === false) return null
  // This error makes the pool discard the connection, because the next one may lead to the new primary.
  await sql`do $$ begin raise sqlstate '25006'; end $$`.execute(db).catch(() => {})
  return 'the database is read-only'
}

const NOTES_NOT_KNOWN: Notes = { notes: 'not known' }
const NOTES_LIMIT_MS = 1_000

/**
 * Returns `otherwise` if the read fails, or takes longer than a second. A slow read goes on, and no other one begins
 * before it ends: otherwise every request would add one to a database that is slow already.
 */
function limitTime<T>(
  read: () => Promise<T>,
  { onFailure, otherwise }: { readonly onFailure: (error: unknown) => void; readonly otherwise: T },
): () => Promise<T> {
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
    const late = sleep(NOTES_LIMIT_MS, otherwise, { ref: false })
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
