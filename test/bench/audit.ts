import { loadavg } from 'node:os'
import { audit, connectDatabase, migrate, sealAll } from '@lode/server'
import { fillLedger } from './ledger-history.ts'
import { atLeast, atMost, median, type Target } from './targets.ts'
import { query, startTunedPostgres, urlAs } from './tuned-postgres.ts'

/**
 * What the audit of the ledger costs as its history grows.
 *
 * incremental  what is new since the checkpoint, and a thirtieth of the older history, measured apart: at each size with
 *              the same number of new postings
 * full         everything, at the largest size, by one connection and by two
 */
const SIZES = (process.env.BENCH_SIZES ?? '400000,1600000').split(',').map(Number)
const NEW = Number(process.env.BENCH_NEW ?? 100_000)
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 3)

const SETTINGS = { shared_buffers: '1GB', max_wal_size: '8GB', checkpoint_timeout: '30min' }

type Connection = ReturnType<typeof connectDatabase>
type Prepared = { readonly size: number; readonly database: Connection; readonly newMs: number }

export async function benchAudit(): Promise<Target[]> {
  const postgres = await startTunedPostgres(SETTINGS)
  const opened: Connection[] = []
  try {
    const measured: Prepared[] = []
    for (const size of SIZES) {
      const name = `size${size}`
      await query(postgres.url(), `create database ${name}`)
      const url = postgres.url(name)
      const database = connectDatabase(url, { name: 'bench', max: 2, noTimeouts: true })
      opened.push(database)
      measured.push({ size, database, newMs: await measureIncremental(url, database, size) })
    }
    const [smallest, largest] = [measured[0], measured.at(-1)]
    if (!smallest || !largest) throw new Error('BENCH_SIZES names no size')
    const speedup = await measureFull(largest)
    return [
      atMost('incremental, what is new: largest / smallest', largest.newMs / smallest.newMs, 2),
      atLeast('full: two connections / one', speedup, 1.6),
    ]
  } finally {
    await Promise.all(opened.map(({ close }) => close()))
    await postgres.stop()
  }
}

/** Returns the milliseconds for what is new. Each round begins at the same checkpoint. */
async function measureIncremental(url: string, { db }: Connection, size: number): Promise<number> {
  await migrate({ ownerUrl: url, profile: 'production' })
  await fill(url, 0, size)
  const { checkpoint } = await requireClean(audit(db))
  if (!checkpoint) throw new Error('nothing was sealed')
  await fill(url, size, size + NEW)
  const parts = { new: [] as number[], thirtieth: [] as number[] }
  for (let round = 0; round < ROUNDS; round += 1) {
    const beganAt = performance.now()
    const { incremental } = await requireClean(audit(db, { checkpoint }))
    const newMs = incremental?.millisecondsForNew ?? Number.NaN
    parts.new.push(newMs)
    parts.thirtieth.push(performance.now() - beganAt - newMs)
  }
  console.log(
    `${loadavg()[0]?.toFixed(1)}  ${count(size)} postings, ${count(NEW)} new: ` +
      `new ${seconds(median(parts.new))}, a thirtieth of the rest ${seconds(median(parts.thirtieth))}`,
  )
  return median(parts.new)
}

/** Returns how many times as fast two connections are. They take turns with one. */
async function measureFull({ size, database: { db } }: Prepared): Promise<number> {
  const taken = { one: [] as number[], two: [] as number[] }
  const measure = async (connections: number): Promise<number> => {
    const beganAt = performance.now()
    await requireClean(audit(db, { connections }))
    return performance.now() - beganAt
  }
  for (let round = 0; round < ROUNDS; round += 1) {
    taken.one.push(await measure(1))
    const before = process.cpuUsage()
    taken.two.push(await measure(2))
    const { user, system } = process.cpuUsage(before)
    const nodeMs = (user + system) / 1_000
    const line = `one ${seconds(taken.one.at(-1) ?? 0)}  two ${seconds(taken.two.at(-1) ?? 0)}, of which Node ${seconds(nodeMs)}`
    console.log(`${loadavg()[0]?.toFixed(1)}  full, ${count(size + NEW)} postings: ${line}`)
  }
  return median(taken.one) / median(taken.two)
}

async function fill(url: string, from: number, to: number): Promise<void> {
  const beganAt = performance.now()
  await fillLedger(url, to, from)
  const worker = connectDatabase(urlAs(url, 'lode_worker'), { name: 'bench', max: 1, noTimeouts: true })
  await sealAll(worker.db, { delaySeconds: 0 })
  await worker.close()
  await query(url, 'vacuum analyze')
  console.log(`filled and sealed up to ${count(to)} postings in ${seconds(performance.now() - beganAt)}`)
}

/** An audit that finds something measures something else. */
async function requireClean(running: ReturnType<typeof audit>): ReturnType<typeof audit> {
  const report = await running
  const [first] = report.findings
  if (first) throw new Error(`the filled ledger is wrong: ${first.wrong} (${first.examples.join('; ')})`)
  return report
}

const count = (value: number): string => value.toLocaleString('en')
const seconds = (milliseconds: number): string => `${(milliseconds / 1_000).toFixed(1)} s`
