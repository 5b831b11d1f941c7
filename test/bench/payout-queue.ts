import { readFile } from 'node:fs/promises'
import { loadavg } from 'node:os'
import { connectDatabase, migrate } from '@lode/server'
import pg from 'pg'
import { hash, withoutTriggers } from './growth/fill-pool.ts'
import { createSigningTurns } from './signing-turns.ts'
import { atMost, median, type Target } from './targets.ts'
import { query, startTunedPostgres, urlAs } from './tuned-postgres.ts'

/**
 * What a turn of the signer costs in the database when few and when very many transfers wait, in turns within one run.
 *
 * sign      there is room: five hundred are judged, and a release of a hundred is signed
 * postpone  a cap is used up: five hundred are judged and wait
 * count     the figures for alarm and metrics, which are taken so rarely that they need at most 2 % of the time
 */
const SMALL = 1_000
const LARGE = Number(process.env.BENCH_LARGE ?? 1_000_000)
/** Of each kind, so that something is left to sign in the small queue. */
const TURNS = 4
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 5)

const SETTINGS = { shared_buffers: '1GB', max_wal_size: '8GB', checkpoint_timeout: '30min', autovacuum: 'off' }

export async function benchPayoutQueue(): Promise<Target[]> {
  const postgres = await startTunedPostgres(SETTINGS)
  const times = {
    sign: new Map<number, number[]>(),
    postpone: new Map<number, number[]>(),
    count: new Map<number, number[]>(),
  }
  const note = async (what: keyof typeof times, size: number, run: () => Promise<unknown>) => {
    const began = performance.now()
    await run()
    times[what].set(size, [...(times[what].get(size) ?? []), performance.now() - began])
  }
  try {
    for (const size of [SMALL, LARGE]) {
      await query(postgres.url(), `create database filled_${size}`)
      await migrate({ ownerUrl: postgres.url(`filled_${size}`), profile: 'production' })
      await fillQueue(postgres.url(`filled_${size}`), size)
    }
    for (let round = 0; round < ROUNDS; round += 1) {
      // The small queue would be used up, and what is signed is no longer queued. So each round begins anew.
      await query(postgres.url(), 'drop database if exists queue', `create database queue template filled_${SMALL}`)
      const databases = [
        { size: SMALL, url: postgres.url('queue') },
        { size: LARGE, url: postgres.url(`filled_${LARGE}`) },
      ].map(({ size, url }) => ({
        size,
        own: connectDatabase(urlAs(url, 'lode_signer'), { name: 'bench', max: 1, noTimeouts: true }),
      }))
      const turns = databases.map(({ size, own }) => ({
        size,
        turn: createSigningTurns(own, { firstNonce: BigInt(round * TURNS) }),
      }))
      for (let count = 0; count < TURNS; count += 1)
        for (const { size, turn } of turns) {
          await note('sign', size, async () => {
            if ((await turn.sign({ hasRoom: true })) === null) throw new Error('nothing was signed')
          })
          if (count === 0) await note('count', size, turn.count)
        }
      for (const { size, turn } of turns)
        await note('postpone', size, async () => {
          if ((await turn.sign({ hasRoom: false })) !== null) throw new Error('there was no room, but it was signed')
        })
      for (const { own } of databases) await own.close()
    }
    const shown = (what: keyof typeof times, size: number) => median(times[what].get(size) ?? [])
    for (const what of ['sign', 'postpone', 'count'] as const)
      console.log(
        `${what.padEnd(10)} ${[SMALL, LARGE].map((size) => `${size.toLocaleString('en')}: ${shown(what, size).toFixed(1)} ms`).join('  |  ')}`,
      )
    console.log(`load average ${loadavg()[0]?.toFixed(1)}`)
    return (['sign', 'postpone'] as const).map((what) =>
      atMost(`${what}: ${LARGE.toLocaleString('en')} queued / 1,000`, shown(what, LARGE) / shown(what, SMALL), 1.5),
    )
  } finally {
    await postgres.stop()
  }
}

/** One transfer of 20 USDT of each member, requested three days ago: its money is frozen, and its log line is open. */
async function fillQueue(ownerUrl: string, size: number): Promise<void> {
  const plan = await readFile(new URL('../../apps/server/plans/example.json', import.meta.url), 'utf8')
  const client = new pg.Client({ connectionString: ownerUrl })
  await client.connect()
  const at = `now() - interval '3 days' + n * interval '1 millisecond'`
  const members = `from generate_series(1::bigint, ${size}) n`
  const id = `md5('transfer' || n)::uuid`
  try {
    await withoutTriggers(client, async () => {
      for (const statement of [
        `insert into lode.plan (version, body, leaving_harder, starts_at, published_at, decision_id)
         values (1, $plan$${plan}$plan$, false, now() - interval '10 days', now() - interval '10 days', 1)`,
        "insert into lode.token values ('USDT', 6), ('BTN', 18), ('BTC', 8)",
        `insert into lode.chain_state (chain_id, vault, genesis_hash, posted_number, posted_hash, posted_time)
         values (31337, decode(repeat('00', 20), 'hex'), decode(repeat('00', 32), 'hex'), 1, decode(repeat('00', 32), 'hex'), now())`,
        `insert into lode.member (id, account, invite_code, sponsor_id, level, lang, created_at)
         overriding system value
         select n, substring(${hash("'member' || n")} for 20), lpad(n::text, 8, '0'), case when n > 1 then 1 end, 0, 'en', now() - interval '9 days'
         ${members}`,
        `insert into lode.payout (id, kind, asset, amount, address, requested_at, member_id, fee, fee_burned, plan_version, level, look_at)
         select ${id}, 'transfer', 'USDT', 20000000, substring(${hash("'member' || n")} for 20), ${at}, n, 1000000, 0, 1, 0, ${at} ${members}`,
        `insert into lode.quota_use (payout_id, member_id, asset, at, amount) select ${id}, n, 'USDT', ${at}, 20000000 ${members}`,
        `insert into lode.ledger_account (id, floor, balance, version) select (n << 14) + ${(2 << 8) + (1 << 6)}, 0, 21000000, 1 ${members}`,
        `insert into lode.log_line (member, asset, id, type, operation, transaction, phase, amount, fee, at)
         select n, 1, 8 * n, 2, ${id}::text, n, 'confirming', -20000000, 1000000, ${at} ${members}`,
      ])
        await client.query(statement)
    })
    await client.query('vacuum analyze')
  } finally {
    await client.end()
  }
}
