import { writeFile } from 'node:fs/promises'
import { loadavg } from 'node:os'
import { join } from 'node:path'
import { units } from '@lode/kernel'
import { connectDatabase, migrate, post, type Transaction } from '@lode/server'
import pg from 'pg'
import { fillLedger, MEMBERS } from './ledger-history.ts'
import { pgbench } from './pgbench.ts'
import { atLeast, median, type Target } from './targets.ts'
import { query, startTunedPostgres, urlAs } from './tuned-postgres.ts'

/**
 * How fast the ledger posts, compared with a hand-written transfer on the same PostgreSQL.
 *
 * bare    pgbench, prepared, 16 clients: begin, two updates of balances, two inserts, commit. No keys, checks or log.
 * single  one orderReserve a call: from a member's available balance to its frozen one, with the log line and its order
 * batch   500 deposits a call, each client for its own members, as different chain logs have different members
 * hot     one deposit a call: every call also changes custody:vault, which is striped
 * large   single again, in a ledger with ten million postings
 */
const CLIENTS = 16
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 5)
const SECONDS = Number(process.env.BENCH_SECONDS ?? 5)
export const BATCH = 500
const SMALL = 10_000
const LARGE = Number(process.env.BENCH_LARGE ?? 10_000_000)

/** The same for both sides. Everything that makes a commit durable has PostgreSQL's defaults. */
const SETTINGS = { shared_buffers: '2GB', max_wal_size: '8GB', checkpoint_timeout: '30min' }

export const BARE = `
\\set from random(1, ${MEMBERS / 2})
\\set to random(${MEMBERS / 2 + 1}, ${MEMBERS})
begin;
update account set balance = balance - 1 where id = :from;
update account set balance = balance + 1 where id = :to;
insert into posting (account, amount) values (:from, -1);
insert into posting (account, amount) values (:to, 1);
commit;
`

export async function benchLedger(): Promise<Target[]> {
  const postgres = await startTunedPostgres(SETTINGS)
  try {
    await prepareBare(postgres.url)
    const script = join(postgres.folder, 'bare.sql')
    await writeFile(script, BARE)
    for (const [name, size] of [
      ['small', SMALL],
      ['large', LARGE],
    ] as const) {
      const began = Date.now()
      await query(postgres.url(), `create database ${name}`)
      await migrate({ ownerUrl: postgres.url(name), profile: 'production' })
      await fillLedger(postgres.url(name), size)
      console.log(
        `${name}: ${size.toLocaleString('en')} postings, filled in ${Math.round((Date.now() - began) / 1000)} s`,
      )
    }
    const orders = {
      small: await insertOrders(postgres.url('small')),
      large: await insertOrders(postgres.url('large')),
    }
    await query(postgres.url(), 'checkpoint')

    const small = connectDatabase(urlAs(postgres.url('small'), 'lode_api'), { name: 'bench', max: CLIENTS })
    const smallWorker = connectDatabase(urlAs(postgres.url('small'), 'lode_worker'), { name: 'bench', max: CLIENTS })
    const large = connectDatabase(urlAs(postgres.url('large'), 'lode_api'), { name: 'bench', max: CLIENTS })
    const measures = {
      bare: async () => {
        const { perSecond } = await pgbench(postgres.url('bare'), {
          script,
          clients: CLIENTS,
          length: { seconds: SECONDS },
        })
        return perSecond
      },
      single: () => measure(1, () => post(small.db, [reserve(orders.small)])),
      batch: () => measure(BATCH, (client) => post(smallWorker.db, ownMembers(client).map(deposit))),
      hot: () => measure(1, () => post(smallWorker.db, [deposit(drawMember())])),
      large: () => measure(1, () => post(large.db, [reserve(orders.large)])),
    }
    type Name = keyof typeof measures
    const names = Object.keys(measures) as Name[]
    const rates: Record<Name, number[]> = { bare: [], single: [], batch: [], hot: [], large: [] }
    console.log(`warming up, then ${ROUNDS} rounds of ${SECONDS} s each; transactions a second; load average first`)
    for (const name of names) await measures[name]()
    for (let round = 1; round <= ROUNDS; round += 1) {
      const load = loadavg()[0]?.toFixed(1) ?? '?'
      for (const name of names) rates[name].push(await measures[name]())
      console.log(`${load}  ${names.map((name) => `${name} ${Math.round(rates[name].at(-1) ?? 0)}`).join('  ')}`)
    }
    await Promise.all([small.close(), smallWorker.close(), large.close()])
    for (const name of names) {
      const sorted = rates[name].toSorted((one, other) => one - other).map(Math.round)
      console.log(`${name}: median ${median(sorted)}, from ${sorted[0]} to ${sorted.at(-1)}`)
    }
    const rate = (name: Name) => median(rates[name])
    return [
      atLeast('single posts / bare', rate('single') / rate('bare'), 0.7),
      atLeast('batches of 500 / bare', rate('batch') / rate('bare'), 4),
      atLeast('one hot striped account / single posts', rate('hot') / rate('single'), 0.8),
      atLeast('single posts, 10,000,000 postings / 10,000 postings', rate('large') / rate('single'), 0.8),
    ]
  } finally {
    await postgres.stop()
  }
}

export async function prepareBare(urlOf: (database?: string) => string): Promise<void> {
  await query(urlOf(), 'create database bare')
  await query(
    urlOf('bare'),
    'create table account (id bigint primary key, balance numeric not null) with (fillfactor = 60)',
    `insert into account select n, 1000000 from generate_series(1, ${MEMBERS}) n`,
    'create table posting (id bigint generated always as identity primary key, account bigint not null, amount numeric not null)',
    'vacuum analyze',
  )
}

/** Transactions per second, with clients that post as soon as the last answer has arrived. */
async function measure(
  size: number,
  work: (client: number) => Promise<readonly { outcome: string }[]>,
): Promise<number> {
  const began = performance.now()
  let done = 0
  await Promise.all(
    Array.from({ length: CLIENTS }, async (_, client) => {
      while (performance.now() - began < SECONDS * 1_000) {
        const outcomes = await work(client)
        if (outcomes.some(({ outcome }) => outcome !== 'posted')) throw new Error('a bench posts what can be posted')
        done += size
      }
    }),
  )
  return (done * 1_000) / (performance.now() - began)
}

export const drawMember = (): bigint => BigInt(1 + Math.floor(Math.random() * MEMBERS))

const next = Array.from({ length: CLIENTS }, () => 0)
/** The next members that only this client posts for. */
function ownMembers(client: number): bigint[] {
  const share = Math.floor(MEMBERS / CLIENTS)
  return Array.from({ length: BATCH }, () => {
    const place = next[client] ?? 0
    next[client] = place + 1
    return BigInt(1 + client * share + (place % share))
  })
}

const amount = units('USDT', 1n)
let made = 0
const epoch = Date.now()

const ORDERS = 200_000

export type UnpostedOrder = { readonly id: string; readonly member: bigint }

/** Orders whose balance part is not frozen yet, so that only the post is measured. */
export async function insertOrders(ownerUrl: string): Promise<UnpostedOrder[]> {
  const client = new pg.Client({ connectionString: ownerUrl })
  await client.connect()
  await client.query('alter table lode.pay_order disable trigger user')
  const { rows } = await client.query<{ id: string; member_id: string }>(
    `insert into lode.pay_order
       (id, member_id, type, plan_version, asset, amount, balance_part, level, power, airdrop, ended, ended_at, failure)
     select gen_random_uuid(), 1 + (random() * ${MEMBERS - 1})::int, 1, 1, 'USDT', 1, 1, 1, 0, 0, 'failed', now(), 'expired'
     from generate_series(1, ${ORDERS}) returning id, member_id`,
  )
  await client.query('alter table lode.pay_order enable trigger user')
  await client.query('analyze lode.pay_order')
  await client.end()
  return rows.map(({ id, member_id }) => ({ id, member: BigInt(member_id) }))
}

/** The freeze of the next of these orders. */
export function reserve(orders: UnpostedOrder[]): Transaction {
  const order = orders.pop()
  if (!order) throw new Error('there are no orders left to post')
  const { id, member } = order
  const line = { type: 'upLevelByBalance', operation: id } as const
  return {
    type: 'orderReserve',
    member,
    key: `order:${id}`,
    moves: [
      { asset: 'USDT', amount, from: { kind: 'available', member, line }, to: { kind: 'frozenOrder', member, line } },
    ],
  }
}

export function deposit(member: bigint): Transaction {
  made += 1
  const key =
    `chain:1:0x${(BigInt(epoch) * 1_000_000_007n * BigInt(made)).toString(16).padStart(64, '0')}:${made}` as const
  return {
    type: 'deposit',
    key,
    moves: [
      {
        asset: 'USDT',
        amount,
        from: 'custody:vault',
        to: { kind: 'available', member, line: { type: 'transferIn', operation: key } },
      },
    ],
  }
}
