import { randomUUID } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { loadavg } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { cpuMsOf } from './cpu.ts'
import { pgbench } from './pgbench.ts'
import { type Buyer, openPromotionPool, preparePoolTemplate } from './promotion-pool.ts'
import { RECORDING_SETTINGS, recordStatements, writeTurns } from './recorded-sql.ts'
import { atLeast, atMost, median, type Target } from './targets.ts'
import { query, startTunedPostgres, urlAs } from './tuned-postgres.ts'
import { watchLocks } from './watch-locks.ts'

/**
 * The cost of a promotion from the balance through HTTP, compared with the same statements sent by pgbench, and whether
 * it grows with the number of members.
 *
 * http      BENCH_CLIENTS clients, by default 16, each order a promotion as soon as the last is answered, from a real api process
 * cheap     the same by members whose fund password has a cheap hash: everything of a promotion except argon2
 * bare      pgbench, prepared, as many clients: every statement that the api sent for one promotion, for other buyers,
 *           with nothing between them
 * one       a single client, in turns in a pool of a thousand and in one of a million, through HTTP with the cheap
 *           hash
 * block     locking all members whom fifty payments of one block concern, by place: among a thousand, among a
 *           million, at the end of a chain of ten thousand
 */
const CLIENTS = Number(process.env.BENCH_CLIENTS ?? 16)
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 5)
const SMALL = 1_000
const LARGE = Number(process.env.BENCH_LARGE ?? 1_000_000)
const CHAIN = 10_000
/** Orders in one round. */
const ORDERS = { http: 10 * CLIENTS, cheap: 30 * CLIENTS, bare: 50 * CLIENTS }
const ONE = { buyers: 80, levels: 5 }
const BLOCK = { payments: 50, rounds: 200 }

/** Everything that makes a commit durable has PostgreSQL's defaults. */
const SETTINGS = { shared_buffers: '1GB', max_wal_size: '8GB', checkpoint_timeout: '30min', ...RECORDING_SETTINGS }

type Pool = Awaited<ReturnType<typeof openPromotionPool>>

export async function benchPromotion(): Promise<Target[]> {
  const postgres = await startTunedPostgres(SETTINGS)
  const pools: Pool[] = []
  try {
    await query(postgres.url(), 'create database ground')
    await preparePoolTemplate(postgres.url('ground'), postgres.folder)
    const open = async (name: string, sponsors: readonly number[], wanted: { real: number; cheap: number }) => {
      const began = Date.now()
      await query(postgres.url(), `create database ${name} template ground`)
      const pool = await openPromotionPool({ ownerUrl: postgres.url(name), sponsors, wanted })
      pools.push(pool)
      const seconds = Math.round((Date.now() - began) / 1_000)
      console.log(`${name}: ${sponsors.length.toLocaleString('en')} members, filled and checked in ${seconds} s`)
      return pool
    }
    const small = await open('small', makeSponsors(SMALL, 0), { real: 1, cheap: ONE.buyers })
    const large = await open('large', makeSponsors(LARGE, CHAIN), {
      real: (ROUNDS + 1) * ORDERS.http + 1,
      cheap: 100 + ONE.buyers + (ROUNDS + 1) * (ORDERS.cheap + ORDERS.bare),
    })
    await query(postgres.url(), 'checkpoint')

    const take = (pool: Pool, kind: 'real' | 'cheap', count: number): Buyer[] => {
      const taken = pool.buyers[kind].splice(-count)
      if (taken.length < count) throw new Error(`there are no ${count} ${kind} buyers left`)
      return taken
    }
    // The recorded buyer and the members above it have numbers that cannot be confused with other values.
    for (const buyer of take(large, 'cheap', 20)) await large.promote(buyer)
    const model = take(large, 'cheap', 80).find(({ above }) => above.every((member) => member > CHAIN + 1))
    if (!model) throw new Error('there is no buyer to record')
    let made = { id: '', key: '' }
    const statements = await recordStatements(large.client, 'lode_api', async () => {
      made = await large.promote(model)
    })
    console.log(`one promotion is ${statements.length} statements`)
    const bare = async (pool: Pool, count: number) => {
      const turns = take(pool, 'cheap', count).map((buyer) => replaceBuyerValues(model, made, buyer))
      const script = join(postgres.folder, `${new URL(pool.ownerUrl).pathname.slice(1)}.sql`)
      await writeFile(script, await writeTurns(pool.client, statements, turns))
      const url = urlAs(pool.ownerUrl, 'lode_api')
      let first = 0
      return async (clients: number, each: number): Promise<Rate> => {
        const variables = { first, clients, n: 0 }
        first += clients * each
        const benched = await pgbench(url, { script, clients, length: { transactionsEach: each }, variables })
        return { count: clients * each, ...benched }
      }
    }
    const bareLarge = await bare(large, (ROUNDS + 1) * ORDERS.bare)

    const waits: number[] = []
    const rates = await measureRates(postgres.pid, {
      bare: () => bareLarge(CLIENTS, ORDERS.bare / CLIENTS),
      cheap: async () => {
        const watch = watchLocks(large.ownerUrl, 'lode_api')
        const rate = await measureHttpRate(large, take(large, 'cheap', ORDERS.cheap))
        waits.push((await watch.end()).waiting)
        return rate
      },
      http: () => measureHttpRate(large, take(large, 'real', ORDERS.http)),
    })

    const one = { small: [] as number[], large: [] as number[] }
    const turn = { small: take(small, 'cheap', ONE.buyers), large: take(large, 'cheap', ONE.buyers) }
    for (let level = 1; level <= ONE.levels; level += 1)
      for (let place = 0; place < ONE.buyers; place += 1)
        for (const [name, pool] of [
          ['small', small],
          ['large', large],
        ] as const) {
          const buyer = turn[name][place]
          if (buyer) one[name].push(await milliseconds(() => pool.promote(buyer, level)))
        }
    const block = await measureBlocks(small, large)
    for (const [name, times] of Object.entries({
      'one, small': one.small,
      'one, large': one.large,
      'block, small': block.small,
      'block, large': block.large,
      'block, chain': block.chain,
    }))
      console.log(`${name}: median ${median(times).toFixed(3)} ms of ${times.length}`)
    console.log(`load average at the end ${loadavg()[0]?.toFixed(1)}`)

    const among = `with ${LARGE.toLocaleString('en')} members / 1,000 members`
    return [
      atLeast('promotions through HTTP / bare', rates.http / rates.bare, 0.5),
      atLeast('promotions through HTTP without argon2 / bare', rates.cheap / rates.bare, 0.5),
      atMost(`time that ${CLIENTS} clients without argon2 wait for locks`, median(waits), 0.05),
      atMost(`one promotion through HTTP without argon2 ${among}`, median(one.large) / median(one.small), 1.3),
      atMost(`locking for a block ${among}`, median(block.large) / median(block.small), 1.3),
      atMost(
        'locking for a block at the end of a chain / with 1,000 members',
        median(block.chain) / median(block.small),
        1.3,
      ),
    ]
  } finally {
    for (const pool of pools) await pool.close().catch(() => {})
    await postgres.stop()
  }
}

/**
 * Members 2 and on form a chain of this length, each invited by the one before. All others are invited by any member
 * outside the chain that has room directly below.
 */
export function makeSponsors(size: number, chain: number): number[] {
  const sponsors = [0]
  for (let link = 0; link < chain; link += 1) sponsors.push(sponsors.length)
  const room = [{ member: 1, left: chain > 0 ? 2 : 3 }]
  while (sponsors.length < size) {
    const place = Math.floor(Math.random() * room.length)
    const sponsor = room[place]
    if (!sponsor) throw new Error('the tree is full')
    sponsors.push(sponsor.member)
    sponsor.left -= 1
    const last = room.pop()
    if (last && sponsor.left > 0) room.push(last)
    else if (last && last !== sponsor) room[place] = last
    room.push({ member: sponsors.length, left: 3 })
  }
  return sponsors
}

/** Replaces the recorded buyer's values by those of another buyer. */
function replaceBuyerValues(
  model: Buyer,
  made: { id: string; key: string },
  buyer: Buyer,
): (parameter: string) => string {
  const others = [buyer.member, ...buyer.above]
  const numbers = new Map([model.member, ...model.above].map((member, place) => [member, others[place] ?? 0]))
  const texts = [
    [made.id, randomUUID()],
    [made.key, randomUUID()],
    [model.sessionId, buyer.sessionId],
    [model.tokenHash, buyer.tokenHash],
  ] as const
  /** A member's number, or the number of one of its accounts. */
  const number = (text: string): string => {
    const value = BigInt(text)
    const other = numbers.get(Number(value)) ?? null
    if (other !== null) return String(other)
    const owner = numbers.get(Number(value >> 14n)) ?? null
    return owner === null ? text : String((BigInt(owner) << 14n) + (value & 16_383n))
  }
  return (parameter) =>
    /^(\d+|\{[\d,"NUL-]*\})$/.test(parameter)
      ? parameter.replace(/\d+/g, number)
      : texts.reduce((text, [from, to]) => text.replaceAll(from, to), parameter)
}

// ---- measuring ------------------------------------------------------------------------------------------------------

/** `clientMs` is the CPU time of the sender: pgbench or the api. */
type Rate = { readonly count: number; readonly perSecond: number; readonly clientMs: number }
type MeasuredRound = { readonly perSecond: number; readonly client: number; readonly server: number }

/** Measures in turns, with the CPU time of each promotion, which does not depend on other work of the machine. */
async function measureRates<Name extends string>(
  postgresPid: number,
  measures: Record<Name, () => Promise<Rate>>,
): Promise<Record<Name, number>> {
  const names = Object.keys(measures) as Name[]
  const taken = Object.fromEntries(names.map((name) => [name, [] as MeasuredRound[]])) as Record<Name, MeasuredRound[]>
  console.log(`warming up, then ${ROUNDS} rounds; promotions a second; load average first`)
  for (const name of names) await measures[name]()
  for (let round = 1; round <= ROUNDS; round += 1) {
    const load = loadavg()[0]?.toFixed(1)
    for (const name of names) {
      const before = cpuMsOf(postgresPid)
      const { count, perSecond, clientMs } = await measures[name]()
      // The CPU time of an ended backend is counted only after the server has noticed its end.
      await sleep(1_000)
      const server = (cpuMsOf(postgresPid) - before) / count
      taken[name].push({ perSecond, client: clientMs / count, server })
    }
    console.log(
      `${load}  ${names.map((name) => `${name} ${Math.round(taken[name].at(-1)?.perSecond ?? 0)}`).join('  ')}`,
    )
  }
  const rates = {} as Record<Name, number>
  for (const name of names) {
    const of = (figure: keyof MeasuredRound) =>
      taken[name].map((one) => one[figure]).toSorted((one, other) => one - other)
    rates[name] = median(of('perSecond'))
    const [least = 0, most = 0] = [of('perSecond')[0], of('perSecond').at(-1)]
    console.log(
      `${name}: median ${Math.round(rates[name])}, from ${Math.round(least)} to ${Math.round(most)}; CPU of each: ` +
        `database ${median(of('server')).toFixed(1)} ms, ${name === 'bare' ? 'pgbench' : 'api'} ${median(of('client')).toFixed(1)} ms`,
    )
  }
  return rates
}

async function measureHttpRate(pool: Pool, buyers: readonly Buyer[]): Promise<Rate> {
  const waiting = buyers.slice()
  const before = cpuMsOf(pool.api.pid)
  const took = await milliseconds(() =>
    Promise.all(
      Array.from({ length: CLIENTS }, async () => {
        for (let buyer = waiting.pop(); buyer; buyer = waiting.pop()) await pool.promote(buyer)
      }),
    ),
  )
  const { length: count } = buyers
  return { count, perSecond: (1_000 * count) / took, clientMs: cpuMsOf(pool.api.pid) - before }
}

async function milliseconds(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now()
  await work()
  return performance.now() - began
}

/**
 * Only the statement whose cost could grow with depth; the others look up by key. Milliseconds for each locked place.
 */
async function measureBlocks(small: Pool, large: Pool) {
  const anybody =
    (size: number, first = 1) =>
    () =>
      first + Math.floor(Math.random() * size)
  const measures = {
    small: [small, anybody(SMALL)],
    large: [large, anybody(LARGE - CHAIN, CHAIN + 1)],
    chain: [large, anybody(CHAIN / 10, CHAIN - CHAIN / 10)],
  } as const
  const times = { small: [] as number[], large: [] as number[], chain: [] as number[] }
  for (let round = 0; round < BLOCK.rounds; round += 1)
    for (const name of ['small', 'large', 'chain'] as const) {
      const [{ client }, buyer] = measures[name]
      const buyers = new Set<number>()
      while (buyers.size < BLOCK.payments) buyers.add(buyer())
      const text = 'select above from lode.lock_places($1)'
      let above: number[] = []
      await client.query('begin')
      const took = await milliseconds(async () => {
        const { rows } = await client.query<{ above: string }>({ name: 'lock', text, values: [Array.from(buyers)] })
        above = rows.map((row) => Number(row.above))
      })
      await client.query('rollback')
      times[name].push(took / new Set([...buyers, ...above]).size)
    }
  return times
}
