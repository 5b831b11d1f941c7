import { migrate } from '@lode/server'
import pg from 'pg'
import { atMost, type Target } from '../targets.ts'
import { query, startTunedPostgres } from '../tuned-postgres.ts'
import { fillPool } from './fill-pool.ts'
import { addHistory } from './long-history.ts'
import {
  formatResult,
  GROWTH_SETTINGS,
  type MeasuredPool,
  measure,
  measuredReads,
  openMeasuredPool,
} from './measured-pool.ts'
import { readers } from './measured-reads.ts'

/**
 * What the reads of one member cost whose own history is long, against one with a short history, in two pools that are
 * otherwise the same; and what it costs to collect the dividends of all its pledges at once.
 */
const MEMBERS = 10_000
const ROWS = (process.env.BENCH_ROWS ?? '100,100000').split(',').map(Number)
/** Measures only what this regular expression matches. */
const ONLY = new RegExp(process.env.BENCH_ONLY ?? '')

export async function benchHistory(): Promise<Target[]> {
  const postgres = await startTunedPostgres(GROWTH_SETTINGS)
  const pools: MeasuredPool[] = []
  const statistics = new pg.Client({ connectionString: postgres.url() })
  try {
    await statistics.connect()
    await query(postgres.url(), 'create database plain')
    await migrate({ ownerUrl: postgres.url('plain'), profile: 'production' })
    await fillPool(postgres.url('plain'), MEMBERS)
    for (const rows of ROWS) {
      const name = `history_${rows}`
      await query(postgres.url(), `create database ${name} template plain`)
      await addHistory(postgres.url(name), rows)
      pools.push(await openMeasuredPool(postgres.url(name), name))
    }
    await query(postgres.url(), 'checkpoint')
    const targets: Target[] = []
    for (const { name, run } of measuredReads()) {
      if (!ONLY.test(name)) continue
      const costs = await measure(pools, statistics, run)
      console.log(formatResult({ name, costs }))
      const [short, long] = [costs[0], costs.at(-1)]
      if (short && long)
        targets.push(atMost(`${name}: time, long history / short`, long.milliseconds / short.milliseconds, 5))
    }
    const [short = 0, long = 0] = await collectAll(pools)
    console.log(`pledge/collect: ${short.toFixed(0)} ms  |  ${long.toFixed(0)} ms`)
    return [...targets, atMost('pledge/collect: time, long history / short', long / short, 5)]
  } finally {
    for (const pool of pools) await pool.close()
    await statistics.end()
    await postgres.stop()
  }
}

/** Collects the dividends of all pledges, once in each pool, and returns the milliseconds. */
async function collectAll(pools: readonly MeasuredPool[]): Promise<number[]> {
  const [, pledger] = readers
  const took: number[] = []
  for (const pool of pools) {
    const began = performance.now()
    await pool.command('pledge/collect', {}, pledger?.id ?? 0)
    took.push(performance.now() - began)
  }
  return took
}
