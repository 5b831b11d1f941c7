import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { connectDatabase, migrate, post } from '@lode/server'
import pg from 'pg'
import { cpuMsOf } from './cpu.ts'
import { openPledgeDatabase } from './day-close.ts'
import { BATCH, deposit, drawMember, insertOrders, reserve } from './ledger.ts'
import { fillLedger } from './ledger-history.ts'
import { drawSponsors, openTeam } from './placement.ts'
import { makeSponsors } from './promotion.ts'
import { openPromotionPool, preparePoolTemplate } from './promotion-pool.ts'
import { insertTeam } from './team-history.ts'
import { query, startTunedPostgres, urlAs } from './tuned-postgres.ts'

/**
 * One side of `pnpm bench compare`, in its own process: a pool of a thousand members on the checkout that contains this
 * file. For each line on its input it runs one turn of every operation. It prints the CPU time of each: this process,
 * the api and PostgreSQL together, in microseconds.
 *
 * BENCH_TURNS is the number of turns that will be requested.
 */
const TURNS = Number(process.env.BENCH_TURNS)
const CLIENTS = 16
/** How often a turn repeats each operation. A close and a placement use one connection, as in production. */
const TIMES = {
  post: 2_000,
  deposit: 2_000,
  batched: 16 * BATCH,
  promotion: 96,
  close: Number(process.env.BENCH_ROUNDS) / TURNS,
  placement: 400,
}

/** Prevents background work of PostgreSQL that would fall into one turn and not into another. */
const SETTINGS = {
  shared_buffers: '512MB',
  max_wal_size: '8GB',
  checkpoint_timeout: '1h',
  synchronous_commit: 'off',
  autovacuum: 'off',
}

const postgres = await startTunedPostgres(SETTINGS)
const open: (() => Promise<unknown>)[] = []
try {
  await query(postgres.url(), 'create database empty')
  await migrate({ ownerUrl: postgres.url('empty'), profile: 'production' })
  for (const name of ['ledger', 'team', 'field', 'ground'])
    await query(postgres.url(), `create database ${name} template empty`)

  await fillLedger(postgres.url('ledger'), 10_000)
  const orders = await insertOrders(postgres.url('ledger'))
  const ledger = connectDatabase(urlAs(postgres.url('ledger'), 'lode_api'), { name: 'bench', max: CLIENTS })
  open.push(ledger.close)
  const worker = connectDatabase(urlAs(postgres.url('ledger'), 'lode_worker'), { name: 'bench', max: CLIENTS })
  open.push(worker.close)

  await insertTeam(postgres.url('team'), drawSponsors(1_000))
  const teamClient = new pg.Client({ connectionString: postgres.url('team') })
  await teamClient.connect()
  open.push(() => teamClient.end())
  const team = await openTeam(teamClient)

  const field = await openPledgeDatabase(postgres.url('field'), 1_000)
  open.push(field.close)

  await preparePoolTemplate(postgres.url('ground'), postgres.folder)
  await query(postgres.url(), 'create database pool template ground')
  const pool = await openPromotionPool({
    ownerUrl: postgres.url('pool'),
    sponsors: makeSponsors(1_000 + 2 * TURNS * TIMES.promotion, 0),
    wanted: { real: 1, cheap: TURNS * TIMES.promotion },
  })
  open.push(pool.close)
  await query(postgres.url(), 'checkpoint')

  const operations: Record<keyof typeof TIMES, () => Promise<unknown>> = {
    post: () => atOnce(TIMES.post, () => post(ledger.db, [reserve(orders)])),
    deposit: () => atOnce(TIMES.deposit, () => post(worker.db, [deposit(drawMember())])),
    batched: () =>
      inTurn(TIMES.batched / BATCH, () =>
        post(
          worker.db,
          Array.from({ length: BATCH }, () => deposit(drawMember())),
        ),
      ),
    promotion: () =>
      atOnce(TIMES.promotion, async () => {
        const buyer = pool.buyers.cheap.pop()
        if (!buyer) throw new Error('there are no buyers left')
        await pool.promote(buyer)
      }),
    close: () => inTurn(TIMES.close, () => field.closeNext()),
    placement: () => inTurn(TIMES.placement, () => team.place(1 + Math.floor(Math.random() * 1_000))),
  }

  console.log('ready')
  for await (const _turn of createInterface({ input: process.stdin })) {
    const taken: Record<string, number> = {}
    for (const [name, work] of Object.entries(operations)) {
      const before = cpuMsOf(process.pid)
      await work()
      await sleep(100)
      taken[name] = ((cpuMsOf(process.pid) - before) * 1_000) / TIMES[name as keyof typeof TIMES]
    }
    console.log(JSON.stringify(taken))
  }
} finally {
  await Promise.allSettled(open.map((close) => close()))
  await postgres.stop()
}

async function inTurn(times: number, work: () => Promise<unknown>): Promise<void> {
  for (let done = 0; done < times; done += 1) await work()
}

async function atOnce(times: number, work: () => Promise<unknown>): Promise<void> {
  await Promise.all(Array.from({ length: CLIENTS }, () => inTurn(times / CLIENTS, work)))
}
