import { loadavg } from 'node:os'
import { migrate } from '@lode/server'
import pg from 'pg'
import { atMost, type Target } from '../targets.ts'
import { query, startTunedPostgres } from '../tuned-postgres.ts'
import { checkPool, fillPool } from './fill-pool.ts'
import { commands } from './measured-commands.ts'
import {
  formatResult,
  GROWTH_SETTINGS,
  type Measured,
  type MeasuredPool,
  measure,
  measuredReads,
  openMeasuredPool,
} from './measured-pool.ts'
import { type Result, writeReport } from './report.ts'

/**
 * What every read, every command that moves a member's money, and every job of a minute costs in pools of several sizes,
 * in turns within one run: its time, and the pages and rows that PostgreSQL touches for it. The measured members have
 * the same history in each pool, so only the size differs.
 */
const SIZES = (process.env.BENCH_SIZES ?? '10000,200000').split(',').map(Number)
/** Measures only what this regular expression matches. */
const ONLY = new RegExp(process.env.BENCH_ONLY ?? '')
/** The checks read the whole ledger, so larger pools are not checked. The same statements fill a pool of any size. */
const CHECKED_UP_TO = 200_000

export async function benchGrowth(): Promise<Target[]> {
  const postgres = await startTunedPostgres(GROWTH_SETTINGS)
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

const measuredCommands = (): Measured[] =>
  commands.map(({ path, inputOf, memberOf }) => ({
    name: path,
    run: (pool, turn) => pool.command(path, inputOf(memberOf(turn)), memberOf(turn)),
  }))

const measuredJobs = ([first]: readonly MeasuredPool[]): Measured[] =>
  Object.keys(first?.jobs ?? {}).map((name) => ({ name, run: async (pool) => pool.jobs[name]?.() }))

async function measureSize(statistics: pg.Client, database: string): Promise<string> {
  const { rows } = await statistics.query<{ size: string }>('select pg_size_pretty(pg_database_size($1)) as size', [
    database,
  ])
  return rows[0]?.size ?? ''
}

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
