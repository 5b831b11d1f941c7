import { randomUUID } from 'node:crypto'
import { loadavg } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '@lode/scripts/process'
import { startApi } from '@lode/scripts/server'
import { migrate } from '@lode/server'
import pg from 'pg'
import { getAddress } from 'viem'
import { settingsOf } from '../promotion-pool.ts'
import { atMost, median, type Target } from '../targets.ts'
import { query, startTunedPostgres } from '../tuned-postgres.ts'
import { accountOf, checkPool, fillPool, tokenOf } from './fill-pool.ts'
import { commands } from './measured-commands.ts'
import { openJobs } from './measured-jobs.ts'
import { nameOfRead, readers, reads } from './measured-reads.ts'
import { type Cost, type Result, writeReport } from './report.ts'

/**
 * What every read, every command that moves a member's money, and every job of a minute costs in pools of several sizes,
 * in turns within one run: its time, and the pages and rows that PostgreSQL touches for it. The measured members have
 * the same history in each pool, so only the size differs.
 */
const SIZES = (process.env.BENCH_SIZES ?? '10000,200000').split(',').map(Number)
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 5)
/** Measures only what this regular expression matches. */
const ONLY = new RegExp(process.env.BENCH_ONLY ?? '')
const CALLS_A_ROUND = 10
/** PostgreSQL reports what a connection touched at most once a second. */
const REPORTED_AFTER_MS = 1_100
/** The checks read the whole ledger, so larger pools are not checked. The same statements fill a pool of any size. */
const CHECKED_UP_TO = 200_000

const SETTINGS = {
  shared_buffers: '2GB',
  max_wal_size: '16GB',
  checkpoint_timeout: '30min',
  synchronous_commit: 'off',
  // Nothing is written while reads are measured, and a worker that starts meanwhile would be counted.
  autovacuum: 'off',
}

export async function benchGrowth(): Promise<Target[]> {
  const postgres = await startTunedPostgres(SETTINGS)
  const pools: MeasuredPool[] = []
  const statistics = new pg.Client({ connectionString: postgres.url() })
  try {
    await statistics.connect()
    for (const size of SIZES) {
      const began = Date.now()
      const name = `pool_${size}`
      await query(postgres.url(), `create database ${name}`)
      await migrate({ ownerUrl: postgres.url(name), profile: 'production' })
      await fillPool(postgres.url(name), size)
      if (size <= CHECKED_UP_TO) await checkPool(postgres.url(name))
      const seconds = Math.round((Date.now() - began) / 1_000)
      console.log(
        `${size.toLocaleString('en')} members: filled in ${seconds} s, ${await measureSize(statistics, name)}`,
      )
      pools.push(await openMeasuredPool(postgres.url(name), name))
    }
    await query(postgres.url(), 'checkpoint')
    console.log(`load average ${loadavg()[0]?.toFixed(1)}`)
    const results: Result[] = []
    for (const { name, run } of [...measuredReads(), ...measuredCommands(), ...measuredJobs(pools)]) {
      if (!ONLY.test(name)) continue
      const result = { name, costs: await measure(pools, statistics, run) }
      results.push(result)
      console.log(formatResult(result))
    }
    await writeReport(SIZES, results)
    return judge(results)
  } finally {
    for (const pool of pools) await pool.close()
    await statistics.end()
    await postgres.stop()
  }
}

type MeasuredPool = Awaited<ReturnType<typeof openMeasuredPool>>
/** Runs what is measured in one pool. Each turn is one call, the same in every pool. */
type Run = (pool: MeasuredPool, turn: number) => Promise<unknown>
type Measured = { readonly name: string; readonly run: Run }

async function openMeasuredPool(ownerUrl: string, database: string) {
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

const measuredReads = (): Measured[] =>
  reads.flatMap((read) =>
    (read.isOpen ? [null] : readers).map((reader) => ({
      name: nameOfRead(read) + (reader ? `, ${reader.what}` : ''),
      run: (pool) => pool.read(read.path, read.parameters ?? {}, reader?.id ?? null),
    })),
  )

const measuredCommands = (): Measured[] =>
  commands.map(({ path, inputOf, memberOf }) => ({
    name: path,
    run: (pool, turn) => pool.command(path, inputOf(memberOf(turn)), memberOf(turn)),
  }))

const measuredJobs = ([first]: readonly MeasuredPool[]): Measured[] =>
  Object.keys(first?.jobs ?? {}).map((name) => ({ name, run: async (pool) => pool.jobs[name]?.() }))

/**
 * Runs in each pool in turns. A connection reports what it touched after the first statement that ends a second after
 * its last report. So a round begins and ends with a pause and one call, and all calls after the first are counted.
 */
async function measure(pools: readonly MeasuredPool[], statistics: pg.Client, run: Run): Promise<Cost[]> {
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

async function measureSize(statistics: pg.Client, database: string): Promise<string> {
  const { rows } = await statistics.query<{ size: string }>('select pg_size_pretty(pg_database_size($1)) as size', [
    database,
  ])
  return rows[0]?.size ?? ''
}

const formatResult = ({ name, costs }: Result): string =>
  `${name.padEnd(36)} ${costs
    .map(
      ({ milliseconds, pages, rows }) =>
        `${milliseconds.toFixed(1)} ms ${Math.round(pages)} pages ${Math.round(rows)} rows`,
    )
    .join('  |  ')}`

/**
 * Added to both sides of a ratio, so that a few pages or rows do not count: the trees of indexes are deeper in a larger
 * pool, and a read of three pages may become one of five.
 */
const A_FEW = 40

function judge(results: readonly Result[]): Target[] {
  return results.flatMap(({ name, costs }) => {
    const [smallest, largest] = [costs[0], costs.at(-1)]
    if (!smallest || !largest) return []
    return [
      atMost(`${name}: time, largest pool / smallest`, largest.milliseconds / smallest.milliseconds, 1.5),
      atMost(`${name}: pages`, (largest.pages + A_FEW) / (smallest.pages + A_FEW), 1.5),
      atMost(`${name}: rows`, (largest.rows + A_FEW) / (smallest.rows + A_FEW), 1.5),
    ]
  })
}
