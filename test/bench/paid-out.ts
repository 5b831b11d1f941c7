import { writeFile } from 'node:fs/promises'
import { loadavg } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { units } from '@lode/kernel'
import { connectDatabase, migrate, post, type Transaction } from '@lode/server'
import pg from 'pg'
import { BARE, prepareBare } from './ledger.ts'
import { fillLedger, MEMBERS } from './ledger-history.ts'
import { pgbench } from './pgbench.ts'
import { atLeast, atMost, median, type Target } from './targets.ts'
import { query, startTunedPostgres, urlAs } from './tuned-postgres.ts'

/**
 * What it gains that an account which many members are paid from, `dividend:payable`, is spread over 64 rows. Sixty-four
 * clients each collect for a random member as soon as the last is answered:
 *
 * spread  as it is
 * one     in a copy of the database whose chart has this account in one row
 * bare    pgbench with as many clients: the hand-written transfer of `pnpm bench ledger`
 */
const CLIENTS = 64
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 5)
const SECONDS = Number(process.env.BENCH_SECONDS ?? 5)
const HISTORY = 10_000
const DIVIDEND_PAYABLE = { kind: 21, number: 5_568 }
const AVAILABLE_BTC = 448

const SETTINGS = { shared_buffers: '1GB', max_wal_size: '8GB', checkpoint_timeout: '30min' }

export async function benchPaidOut(): Promise<Target[]> {
  const postgres = await startTunedPostgres(SETTINGS)
  try {
    await query(postgres.url(), 'create database spread')
    await migrate({ ownerUrl: postgres.url('spread'), profile: 'production' })
    await fillLedger(postgres.url('spread'), HISTORY)
    await query(
      postgres.url('spread'),
      // What is collected here was shared out by no day.
      'alter table lode.ledger_transaction disable trigger check_cause',
      // Every member has collected before.
      `insert into lode.ledger_account (id, floor) select (n << 14) + ${AVAILABLE_BTC}, 0 from generate_series(1::bigint, ${MEMBERS}) n`,
      'vacuum analyze',
    )
    await query(postgres.url(), 'create database one template spread')
    await query(postgres.url('spread'), fillRows(64))
    await query(
      postgres.url('one'),
      `update lode.ledger_kind set stripes = 1, divides_credits = false where code = ${DIVIDEND_PAYABLE.kind}`,
      `update lode.ledger_move set debit_stripes = 1 where debit = ${DIVIDEND_PAYABLE.number}`,
      fillRows(1),
    )
    await prepareBare(postgres.url)
    const script = join(postgres.folder, 'bare.sql')
    await writeFile(script, BARE)
    const [spread, one] = ['spread', 'one'].map((name) =>
      connectDatabase(urlAs(postgres.url(name), 'lode_api'), { name: 'bench', max: CLIENTS }),
    )
    if (!spread || !one) throw new Error('there are two databases')
    const measures = {
      bare: async () =>
        (await pgbench(postgres.url('bare'), { script, clients: CLIENTS, length: { seconds: SECONDS } })).perSecond,
      spread: () => collectAtOnce((transaction) => post(spread.db, [transaction])),
      one: () => collectAtOnce((transaction) => post(one.db, [transaction])),
    }
    const names = ['bare', 'spread', 'one'] as const
    const rates = { bare: [] as number[], spread: [] as number[], one: [] as number[] }
    for (const name of names) await measures[name]()
    for (let round = 1; round <= ROUNDS; round += 1) {
      for (const name of names) rates[name].push(await measures[name]())
      const line = names.map((name) => `${name} ${Math.round(rates[name].at(-1) ?? 0)}`).join('  ')
      console.log(`${loadavg()[0]?.toFixed(1)}  ${line}`)
    }
    await Promise.all([spread.close(), one.close()])
    const dead = await readDeadShare(postgres.url('spread'))
    console.log(`after ${made.toLocaleString('en')} collects, dead rows in the table with the most: ${dead.what}`)
    return [
      atLeast('collects by 64 clients, spread / in one row', median(rates.spread) / median(rates.one), 2),
      atLeast('collects by 64 clients / bare', median(rates.spread) / median(rates.bare), 1),
      atMost('share of dead rows in the table with the most', dead.share, 0.2),
    ]
  } finally {
    await postgres.stop()
  }
}

const fillRows = (rows: number): string =>
  `insert into lode.ledger_account (id, floor, balance, version)
   select ${DIVIDEND_PAYABLE.number} + n, 0, 1e15, 1 from generate_series(0, ${rows - 1}) n`

/** Which table of more than a thousand rows has the largest share of rows that are replaced and not cleaned up. */
async function readDeadShare(url: string): Promise<{ what: string; share: number }> {
  // Connections report what they changed with a delay.
  await sleep(2_000)
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const { rows } = await client.query<{ name: string; dead: number; live: number }>(
      `select relname as name, n_dead_tup::float8 as dead, n_live_tup::float8 as live from pg_stat_user_tables
       where schemaname = 'lode' and n_live_tup > 1000 order by n_dead_tup::float8 / n_live_tup desc limit 1`,
    )
    const { name, dead, live } = rows[0] ?? { name: 'none', dead: 0, live: 1 }
    return { what: `${name} ${dead} beside ${live}`, share: dead / (dead + live) }
  } finally {
    await client.end()
  }
}

/** Collects a second, by clients who collect again as soon as the last answer has arrived. */
async function collectAtOnce(
  send: (transaction: Transaction) => Promise<readonly { outcome: string }[]>,
): Promise<number> {
  const began = performance.now()
  let done = 0
  await Promise.all(
    Array.from({ length: CLIENTS }, async () => {
      while (performance.now() - began < SECONDS * 1_000) {
        const [answer] = await send(collect(BigInt(1 + Math.floor(Math.random() * MEMBERS))))
        if (answer?.outcome !== 'posted') throw new Error('a bench collects what can be collected')
        done += 1
      }
    }),
  )
  return (done * 1_000) / (performance.now() - began)
}

let made = 0
const epoch = Date.now()

function collect(member: bigint): Transaction {
  made += 1
  const operation = `collect:${epoch}:${made}`
  return {
    type: 'pointReward',
    member,
    key: operation,
    moves: [
      {
        asset: 'BTC',
        amount: units('BTC', 1n),
        from: 'dividend:payable',
        to: { kind: 'available', member, line: { type: 'pointReward', operation } },
      },
    ],
  }
}
