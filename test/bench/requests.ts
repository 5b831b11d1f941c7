import { loadavg } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { migrate } from '@lode/server'
import { getAddress } from 'viem'
import { cpuMsOf } from './cpu.ts'
import { accountOf, fillPool, tokenOf } from './growth/fill-pool.ts'
import { GROWTH_SETTINGS, openMeasuredPool } from './growth/measured-pool.ts'
import { atLeast, type Target } from './targets.ts'
import { query, startTunedPostgres } from './tuned-postgres.ts'

/**
 * The processor time of what an open app asks for while nothing goes on: in the api and in the database. From that, how
 * many open apps one processor core serves. docs/scale.md says how often an app asks.
 */
const MEMBERS = Number(process.env.BENCH_SIZES ?? 10_000)
/** All together stay below what one address may ask for in a minute. */
const REQUESTS = Number(process.env.BENCH_REQUESTS ?? 1_000)
const CLIENTS = 4
const HOUR_MS = 3_600_000

type Asked = {
  readonly name: string
  readonly path: string
  /** The server answers that nothing has changed. */
  readonly isUnchanged?: true
  /** Everybody gets the same answer, so that a cache in front of the server can give it. */
  readonly isPublic?: true
  readonly inAnHour: number
}

const ASKED: readonly Asked[] = [
  { name: 'account/home', path: 'account/home', inAnHour: 1 },
  { name: 'account/home, unchanged', path: 'account/home', isUnchanged: true, inAnHour: 29 },
  { name: 'notice/list', path: 'notice/list', inAnHour: 6 },
  { name: 'pool/figures, unchanged', path: 'pool/figures', isUnchanged: true, isPublic: true, inAnHour: 12 },
]

export async function benchRequests(): Promise<Target[]> {
  const postgres = await startTunedPostgres(GROWTH_SETTINGS)
  let pool: Awaited<ReturnType<typeof openMeasuredPool>> | null = null
  try {
    await query(postgres.url(), 'create database pool')
    await migrate({ ownerUrl: postgres.url('pool'), profile: 'production' })
    await fillPool(postgres.url('pool'), MEMBERS)
    await query(postgres.url(), 'checkpoint')
    pool = await openMeasuredPool(postgres.url('pool'), 'pool')
    const { apiPid, origin } = pool
    console.log(`load average ${loadavg()[0]?.toFixed(1)}`)
    let ofHour = { all: 0, own: 0 }
    for (const asked of ASKED) {
      await ask(origin, asked, 100)
      const before = { api: cpuMsOf(apiPid), database: cpuMsOf(postgres.pid) }
      await ask(origin, asked, REQUESTS)
      // The last of the work is done after the answer.
      await sleep(200)
      const api = (cpuMsOf(apiPid) - before.api) / REQUESTS
      const database = (cpuMsOf(postgres.pid) - before.database) / REQUESTS
      console.log(`${asked.name.padEnd(26)} api ${api.toFixed(2)} ms, database ${database.toFixed(2)} ms`)
      const cost = asked.inAnHour * (api + database)
      ofHour = { all: ofHour.all + cost, own: ofHour.own + (asked.isPublic ? 0 : cost) }
    }
    const apps = { alone: Math.round(HOUR_MS / ofHour.all), behindCache: Math.round(HOUR_MS / ofHour.own) }
    console.log(`open apps that a core serves: ${apps.alone}; behind a cache for the public reads: ${apps.behindCache}`)
    return [atLeast('open apps that a core serves', apps.alone, 10_000)]
  } finally {
    await pool?.close()
    await postgres.stop()
  }
}

/** Asks for many members in turns, several at a time. */
async function ask(origin: string, { path, isUnchanged, isPublic }: Asked, requests: number): Promise<void> {
  const members = Array.from({ length: 20 }, (_, index) => 20 * index + 2)
  const ownParameters = (member: number) =>
    `?${new URLSearchParams({ account: getAddress(accountOf(member)), _t: String(Date.now()) })}`
  const get = async (member: number, tag: string | null) => {
    const response = await fetch(`${origin}/api/${path}${isPublic ? '' : ownParameters(member)}`, {
      headers: { authorization: `Bearer ${tokenOf(member)}`, ...(tag ? { 'if-none-match': tag } : {}) },
    })
    await response.text()
    const expected = tag ? 304 : 200
    if (response.status !== expected) throw new Error(`${path} was answered ${response.status}, not ${expected}`)
    return response.headers.get('etag')
  }
  const tags = new Map<number, string | null>()
  if (isUnchanged) for (const member of members) tags.set(member, await get(member, null))
  let next = 0
  const client = async () => {
    while (next < requests) {
      const member = members[next % members.length] ?? 2
      next += 1
      await get(member, tags.get(member) ?? null)
    }
  }
  await Promise.all(Array.from({ length: CLIENTS }, client))
}
