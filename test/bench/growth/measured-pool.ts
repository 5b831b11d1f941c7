import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '@lode/scripts/process'
import { startApi } from '@lode/scripts/server'
import type pg from 'pg'
import { getAddress } from 'viem'
import { settingsOf } from '../promotion-pool.ts'
import { median } from '../targets.ts'
import { accountOf, tokenOf } from './fill-pool.ts'
import { openJobs } from './measured-jobs.ts'
import { nameOfRead, readers, reads } from './measured-reads.ts'
import type { Cost, Result } from './report.ts'

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 5)
const CALLS_A_ROUND = 10
/** PostgreSQL reports what a connection touched at most once a second. */
const REPORTED_AFTER_MS = 1_100

/** Nothing is written while reads are measured. A worker of autovacuum that starts meanwhile would be counted. */
export const GROWTH_SETTINGS = {
  shared_buffers: '2GB',
  max_wal_size: '16GB',
  checkpoint_timeout: '30min',
  synchronous_commit: 'off',
  autovacuum: 'off',
}

export type MeasuredPool = Awaited<ReturnType<typeof openMeasuredPool>>
/** Runs what is measured in one pool. Each turn is one call, the same in every pool. */
type Run = (pool: MeasuredPool, turn: number) => Promise<unknown>
export type Measured = { readonly name: string; readonly run: Run }

export async function openMeasuredPool(ownerUrl: string, database: string) {
  const settings = settingsOf(ownerUrl, await freePort())
  const api = await startApi(settings)
  const jobs = openJobs(ownerUrl)
  const call = async (path: string, member: number | null, init: RequestInit = {}) => {
    const authorization = member === null ? {} : { authorization: `Bearer ${tokenOf(member)}` }
    const response = await fetch(`${settings.publicOrigin}/api/${path}`, {
      ...init,
      headers: { ...authorization, ...init.headers },
    })
    const text = await response.text()
    if (response.status !== 200) throw new Error(`${path} was answered ${response.status}: ${text}`)
  }
  return {
    database,
    apiPid: api.pid,
    origin: settings.publicOrigin,
    jobs: jobs.run,
    read(path: string, parameters: Readonly<Record<string, string>>, member: number | null) {
      const own = member === null ? {} : { account: getAddress(accountOf(member)), _t: String(Date.now()) }
      return call(`${path}?${new URLSearchParams({ ...parameters, ...own })}`, member)
    },
    command(path: string, input: object, member: number) {
      const body = JSON.stringify({ account: getAddress(accountOf(member)), key: randomUUID(), ...input })
      return call(path, member, { method: 'POST', body, headers: { 'content-type': 'application/json' } })
    },
    async close() {
      await jobs.close()
      await api.stop()
    },
  }
}

export const measuredReads = (): Measured[] =>
  reads.flatMap((read) =>
    (read.isOpen ? [null] : readers).map((reader) => ({
      name: nameOfRead(read) + (reader ? `, ${reader.what}` : ''),
      run: (pool) => pool.read(read.path, read.parameters ?? {}, reader?.id ?? null),
    })),
  )

/**
 * Runs in each pool in turns. A connection reports what it touched after the first statement that ends a second after
 * its last report. So a round begins and ends with a pause and one call, and all calls after the first are counted.
 */
export async function measure(pools: readonly MeasuredPool[], statistics: pg.Client, run: Run): Promise<Cost[]> {
  const times = pools.map((): number[] => [])
  const touched = pools.map(() => ({ pages: [] as number[], rows: [] as number[] }))
  let turn = 0
  const runInAll = async () => {
    const took: number[] = []
    for (const pool of pools) {
      const began = performance.now()
      await run(pool, turn)
      took.push(performance.now() - began)
    }
    turn += 1
    return took
  }
  for (let warm = 0; warm < 3; warm += 1) await runInAll()
  for (let round = 0; round < ROUNDS; round += 1) {
    const reportAll = async () => {
      await sleep(REPORTED_AFTER_MS)
      await runInAll()
      await sleep(50)
      return Promise.all(pools.map(({ database }) => readTouched(statistics, database)))
    }
    const before = await reportAll()
    for (let call = 1; call < CALLS_A_ROUND; call += 1)
      for (const [index, took] of (await runInAll()).entries()) times[index]?.push(took)
    const after = await reportAll()
    for (const [index, counts] of touched.entries()) {
      counts.pages.push(((after[index]?.pages ?? 0) - (before[index]?.pages ?? 0)) / CALLS_A_ROUND)
      counts.rows.push(((after[index]?.rows ?? 0) - (before[index]?.rows ?? 0)) / CALLS_A_ROUND)
    }
  }
  return pools.map((_, index) => ({
    milliseconds: median(times[index] ?? []),
    pages: median(touched[index]?.pages ?? []),
    rows: median(touched[index]?.rows ?? []),
  }))
}

async function readTouched(statistics: pg.Client, database: string): Promise<{ pages: number; rows: number }> {
  const { rows } = await statistics.query<{ pages: number; rows: number }>(
    `select (blks_hit + blks_read)::float8 as pages, (tup_returned + tup_fetched)::float8 as rows
     from pg_stat_database where datname = $1`,
    [database],
  )
  return rows[0] ?? { pages: 0, rows: 0 }
}

export const formatResult = ({ name, costs }: Result): string =>
  `${name.padEnd(36)} ${costs
    .map(
      ({ milliseconds, pages, rows }) =>
        `${milliseconds.toFixed(1)} ms ${Math.round(pages)} pages ${Math.round(rows)} rows`,
    )
    .join('  |  ')}`
