import { randomUUID } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { startPostgres } from '@lode/scripts/postgres'
import { freePort } from '@lode/scripts/process'
import { closeDays, collectProduction, connectDatabase, createOperators, createPlans, migrate } from '@lode/server'
import pg from 'pg'
import { atLeast, atMost, median, type Target } from './targets.ts'

/**
 * The cost of closing a day and of collecting, with a thousand running pledges and with a million, in turns within one
 * run. Measures everything that the worker and the api do, from Node and back, including the commit.
 *
 * close     a funded day on which no pledge ends
 * ends      a day on which this many pledges end: each is paid its rest
 * collect   one member collects the dividends of 60 days
 * naive     on the same data, one row for each pledge, as a close would write that pays every member at once
 */
const DAYS = Number(process.env.BENCH_ROUNDS ?? 60)
const COLLECTS = 200
const SMALL = 1_000
const LARGE = Number(process.env.BENCH_LARGE ?? 1_000_000)
/** How many pledges end on each of the days after those. */
const ENDS = (process.env.BENCH_ENDS ?? '200,2000').split(',').map(Number)

const SETTINGS = { shared_buffers: '1GB', max_wal_size: '8GB', checkpoint_timeout: '30min', synchronous_commit: 'off' }
const VAULT = '0x0000000000000000000000000000000000001001'
const CHAIN = 31337
const DAY_SECONDS = 86_400
/** The number of the ledger account for funded BTC. */
const DIVIDEND_FUNDED = 5312

export async function benchDayClose(): Promise<Target[]> {
  const folder = await mkdtemp(join(tmpdir(), 'lode-bench-'))
  const port = await freePort()
  const start = () => startPostgres({ dataFolder: folder, port, durable: true })
  let postgres = await start()
  const opened: PledgeDatabase[] = []
  try {
    const owner = new pg.Client({ connectionString: postgres.url() })
    await owner.connect()
    for (const [name, value] of Object.entries(SETTINGS)) await owner.query(`alter system set ${name} = '${value}'`)
    await owner.end()
    await postgres.stop()
    postgres = await start()
    const maker = new pg.Client({ connectionString: postgres.url() })
    await maker.connect()
    for (const [name, size] of [
      ['small', SMALL],
      ['large', LARGE],
    ] as const) {
      const began = Date.now()
      await maker.query(`create database ${name}`)
      await migrate({ ownerUrl: postgres.url(name), profile: 'production' })
      opened.push(await openPledgeDatabase(postgres.url(name), size))
      console.log(
        `${name}: ${size.toLocaleString('en')} pledges, filled in ${Math.round((Date.now() - began) / 1_000)} s`,
      )
    }
    await maker.query('checkpoint')
    await maker.end()
    const [small, large] = opened
    if (!small || !large) throw new Error('there is nothing to measure')

    console.log(`${DAYS} days, load average ${loadavg()[0]?.toFixed(1)}`)
    const times = { small: [] as number[], large: [] as number[] }
    for (let round = 0; round < DAYS; round += 1) {
      times.small.push(await small.closeNext())
      times.large.push(await large.closeNext())
    }
    const collects = { small: [] as number[], large: [] as number[] }
    for (let round = 1; round <= COLLECTS; round += 1) {
      collects.small.push(await small.collect(round))
      collects.large.push(await large.collect(round))
    }
    const naive = { small: await small.naive(), large: await large.naive() }
    const perEnd: number[] = []
    // Meanwhile somebody reads an older state, as a backup does. So no row version can be cleaned up.
    const snapshot = await large.openSnapshot()
    for (const count of ENDS) {
      const milliseconds = await large.closeNext()
      perEnd.push((milliseconds - median(times.large)) / count)
      console.log(`with ${count} that end: ${milliseconds.toFixed(0)} ms, ${perEnd.at(-1)?.toFixed(3)} ms each`)
    }
    await snapshot.end()
    const shown = (values: readonly number[]) => median(values).toFixed(2)
    console.log(`close: ${shown(times.small)} ms of 1,000, ${shown(times.large)} ms of ${LARGE.toLocaleString('en')}`)
    console.log(`collect: ${shown(collects.small)} ms and ${shown(collects.large)} ms`)
    console.log(`naive close: ${naive.small.toFixed(0)} ms and ${naive.large.toFixed(0)} ms`)
    console.log(`load average at the end ${loadavg()[0]?.toFixed(1)}`)
    const [few = Number.NaN] = perEnd
    const many = perEnd.at(-1) ?? Number.NaN
    const [fewEnds, manyEnds] = [ENDS[0], ENDS.at(-1)].map((count) => count?.toLocaleString('en'))
    return [
      atMost(
        `close of a day, ${LARGE.toLocaleString('en')} pledges / 1,000 pledges`,
        median(times.large) / median(times.small),
        1.5,
      ),
      atMost('one member’s collect, large pool / small pool', median(collects.large) / median(collects.small), 1.3),
      atMost(`cost per ending pledge, ${manyEnds} endings / ${fewEnds} endings`, many / few, 1.5),
      atLeast('a close that writes one row for each pledge / our close', naive.large / median(times.large), 10),
    ]
  } finally {
    for (const field of opened) await field.close()
    await postgres.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

type PledgeDatabase = Awaited<ReturnType<typeof openPledgeDatabase>>

/** Creates this many running pledges, one a member, as superuser in bulk, and funding for every day. */
export async function openPledgeDatabase(url: string, size: number) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query<{ first: number }>(
    'select (floor(extract(epoch from now()) / 86400) - $1)::int as first',
    [DAYS + ENDS.length + 5],
  )
  const first = rows[0]?.first ?? 0
  const plan = await readFile(new URL('../../apps/server/plans/example.json', import.meta.url), 'utf8')
  await client.query('set session_replication_role = replica')
  await client.query('alter table lode.plan disable trigger stamp')
  await client.query(
    `insert into lode.plan (version, body, leaving_harder, starts_at, published_at, decision_id)
     values (1, $1, false, to_timestamp($2::bigint * 86400), now(), 1)`,
    [plan, first],
  )
  await client.query("insert into lode.token values ('USDT', 6), ('BTN', 18), ('BTC', 8)")
  await client.query(
    `insert into lode.chain_state (chain_id, vault, genesis_hash, posted_number, posted_hash, posted_time)
     values (${CHAIN}, decode(repeat('00', 20), 'hex'), decode(repeat('00', 32), 'hex'), 1, decode(repeat('00', 32), 'hex'), to_timestamp($1::bigint * 86400))`,
    [first],
  )
  await client.query(
    `insert into lode.member (id, account, invite_code, sponsor_id, lang) overriding system value
     select number, substring(sha256(number::text::bytea) for 20), lpad(number::text, 8, '0'), case when number > 1 then 1 end, 'en'
     from generate_series(1, $1::int) as number`,
    [size],
  )
  const ending = ENDS.map((count, place) => ({ count, end: first + DAYS + place + 2 }))
  const groups = [{ count: size, end: first + 10_000 }, ...(size > SMALL ? ending : [])]
  for (const { count, end } of groups) {
    await client.query(
      `insert into lode.pledge (id, member_id, amount, weight, start_day, end_day)
       select gen_random_uuid(), number, 10001000000000000000000, 100010000 + number % 5000, $2, $3
       from generate_series(1, $1::int) as number`,
      [count, first + 1, end],
    )
  }
  await client.query(
    `insert into lode.pledge_change (day, stripe, started, ended)
     select start_day, 1, sum(weight), 0 from lode.pledge group by start_day
     union all select end_day, 2, 0, sum(weight) from lode.pledge group by end_day`,
  )
  await client.query(
    `insert into lode.dividend_funding (tx, log_index, block_number, block_time, day, funder, amount, bitcoin_txid, bitcoin_output)
     select sha256(day::text::bytea), 0, day, now(), day, decode(repeat('00', 20), 'hex'), 100000000, sha256(day::text::bytea), 0
     from generate_series($1::int + 1, $1::int + $2::int) as day`,
    [first, DAYS + ENDS.length + 2],
  )
  // The funding in the ledger. Its postings follow, so the transactions are not checked.
  await client.query('alter table lode.ledger_transaction disable trigger user')
  await client.query(
    `insert into lode.ledger_transaction (id, member, key, input_hash, type, posted_at)
     select 1000000000 + day, 0, 'chain:${CHAIN}:0x' || encode(sha256(day::text::bytea), 'hex') || ':0', sha256(''), 3, now()
     from generate_series($1::int + 1, $1::int + $2::int) as day`,
    [first, DAYS + ENDS.length + 2],
  )
  await client.query('alter table lode.ledger_transaction enable trigger user')
  await client.query(
    `insert into lode.posting (member, account, version, transaction, amount, balance_after)
     select 0, ${DIVIDEND_FUNDED}, -day, 1000000000 + day, 100000000, 0 from generate_series($1::int + 1, $1::int + $2::int) as day`,
    [first, DAYS + ENDS.length + 2],
  )
  await client.query(
    `insert into lode.ledger_account (id, floor, balance, version) values (${DIVIDEND_FUNDED}, 0, 100000000::numeric * $1, 0)`,
    [DAYS + ENDS.length + 2],
  )
  await client.query('vacuum analyze lode.member, lode.pledge, lode.pledge_change, lode.dividend_funding')

  const as = (role: string) => {
    const own = new URL(url)
    own.username = role
    return connectDatabase(own.href, { name: 'bench', max: 1, noTimeouts: true })
  }
  const [worker, api] = [as('lode_worker'), as('lode_api')]
  const knowing = {
    plans: createPlans({ decimals: { USDT: 6, BTN: 18, BTC: 8 }, operators: null }),
    operators: createOperators({ pool: VAULT, chainId: CHAIN, ceremony: null }),
  }
  let next = first
  const passTo = (day: number) =>
    client.query('update lode.chain_state set posted_time = to_timestamp($1)', [
      (day + 1) * DAY_SECONDS + 12 * 3_600 + 1,
    ])
  // Closes the day before any pledge runs. It is not measured.
  await passTo(next)
  await closeDays(worker.db, knowing)
  next += 1

  return {
    /** Returns milliseconds. */
    async closeNext(): Promise<number> {
      await passTo(next)
      const began = performance.now()
      const closed = await closeDays(worker.db, knowing)
      const milliseconds = performance.now() - began
      if (closed.length !== 1 || closed[0] !== next) throw new Error(`day ${next} was to be closed, not ${closed}`)
      next += 1
      return milliseconds
    },

    async collect(member: number): Promise<number> {
      const session = { memberId: BigInt(member) } as unknown as Parameters<typeof collectProduction>[0]['session']
      const began = performance.now()
      const collected = await collectProduction({ db: api.db, session }, { key: randomUUID() })
      const milliseconds = performance.now() - began
      if (!collected.ok) throw new Error(collected.error)
      return milliseconds
    },

    /** A transaction that sees the state of now until it is ended. */
    async openSnapshot(): Promise<pg.Client> {
      const reader = new pg.Client({ connectionString: url })
      await reader.connect()
      await reader.query('begin isolation level repeatable read')
      await reader.query('select count(*) from lode.production_day')
      return reader
    },

    /** Writes one row for each running pledge with its dividend of the day. */
    async naive(): Promise<number> {
      await client.query(
        'create table if not exists naive_line (pledge uuid, day int, amount numeric, primary key (pledge, day))',
      )
      const began = performance.now()
      await client.query(
        `insert into naive_line (pledge, day, amount)
         select id, $1, div(weight * 100000000, (select weight from lode.production_day order by day desc limit 1))
         from lode.pledge where start_day <= $1 and $1 < end_day`,
        [next - 1],
      )
      return performance.now() - began
    },

    async close(): Promise<void> {
      await Promise.all([worker.close(), api.close()])
      await client.end()
    },
  }
}
