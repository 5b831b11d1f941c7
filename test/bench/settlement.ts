import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  connectDatabase,
  createLogger,
  createPaymentSettlement,
  createPlans,
  createPromotionSettlement,
  decimalsOf,
  type PaymentMovement,
  postBlocks,
  type Settlements,
  testContracts,
} from '@lode/server'
import pg from 'pg'
import { type Address, type Hex, numberToHex, pad } from 'viem'
import { cpuMsOf } from './cpu.ts'
import { makeSponsors } from './promotion.ts'
import { type Buyer, openPromotionPool, preparePoolTemplate } from './promotion-pool.ts'
import { atLeast, atMost, type Target } from './targets.ts'
import { query, startTunedPostgres, urlAs } from './tuned-postgres.ts'
import { watchLocks } from './watch-locks.ts'

/**
 * A rush: blocks that each pay hundreds of orders for a level are posted by the worker's own code, one after the other,
 * while the api serves members who look at their home page and buy levels from their balance. The members of the
 * requests are below the same members as those of the payments, so they wait for the same locks.
 */
const MEMBERS = Number(process.env.BENCH_LARGE ?? 200_000)
const BLOCKS = Number(process.env.BENCH_BLOCKS ?? 20)
const PAYMENTS = Number(process.env.BENCH_PAYMENTS ?? 500)
/** Posted before, so that PostgreSQL knows tables with something in them. */
const EARLIER_BLOCKS = 3
/** One request after the other is begun at this distance, also if those before have no answer yet. */
const READS_EVERY_MS = 25
const PURCHASES_EVERY_MS = 200
const LONGEST_RUN_S = 600

const CHAIN = 31_337
const NO_HASH: Hex = pad('0x', { size: 32 })
const DECIMALS = decimalsOf(testContracts)
const SETTINGS = { shared_buffers: '1GB', max_wal_size: '8GB', checkpoint_timeout: '30min' }

export async function benchSettlement(): Promise<Target[]> {
  const postgres = await startTunedPostgres(SETTINGS)
  let pool: Awaited<ReturnType<typeof openPromotionPool>> | null = null
  try {
    const ownerUrl = postgres.url('rush')
    await query(postgres.url(), 'create database rush')
    await preparePoolTemplate(ownerUrl, postgres.folder)
    const purchases = (LONGEST_RUN_S * 1_000) / PURCHASES_EVERY_MS
    pool = await openPromotionPool({
      ownerUrl,
      sponsors: makeSponsors(MEMBERS, 0),
      wanted: { real: 1, cheap: (EARLIER_BLOCKS + BLOCKS) * PAYMENTS + purchases },
    })
    const { buyers, promote, read } = pool
    const payers = buyers.cheap.splice(0, (EARLIER_BLOCKS + BLOCKS) * PAYMENTS)
    const orders = await orderOnline(ownerUrl, payers)
    const blocks = Array.from({ length: EARLIER_BLOCKS + BLOCKS }, (_, index) =>
      orders.slice(index * PAYMENTS, (index + 1) * PAYMENTS),
    )
    const cpu = await measureCpu(postgres.pid, () =>
      settleBlocks(ownerUrl, { first: 1, blocks: blocks.slice(0, EARLIER_BLOCKS) }),
    )
    console.log(
      `CPU of a payment: database ${(cpu.database / (EARLIER_BLOCKS * PAYMENTS)).toFixed(1)} ms, ` +
        `worker ${(cpu.own / (EARLIER_BLOCKS * PAYMENTS)).toFixed(1)} ms`,
    )
    await query(ownerUrl, 'vacuum analyze', 'checkpoint')

    const watch = watchLocks(ownerUrl, 'lode_worker')
    const reader = buyers.cheap[0]
    if (!reader) throw new Error('there is no buyer left to read')
    const reads = requestEvery(READS_EVERY_MS, () => read(reader, '/account/home'))
    const bought = requestEvery(PURCHASES_EVERY_MS, () => promote(buyers.cheap.pop() ?? reader))
    const seconds = await settleBlocks(ownerUrl, { first: EARLIER_BLOCKS + 1, blocks: blocks.slice(EARLIER_BLOCKS) })
    const answered = { reads: await reads.end(), purchases: await bought.end() }
    const { longest, longestWait } = await watch.end()

    await expectSettled(ownerUrl, orders.length)
    console.log(
      `${BLOCKS} blocks of ${PAYMENTS} payments: ${seconds.toFixed(1)} s, ` +
        `${((seconds * 1_000) / (BLOCKS * PAYMENTS)).toFixed(1)} ms each; ` +
        `${answered.reads.length} reads and ${answered.purchases.length} purchases meanwhile`,
    )
    return [
      atMost(`seconds to settle ${BLOCKS} blocks of ${PAYMENTS} payments`, seconds, 60),
      atMost('seconds of the longest database transaction of the worker', longest, 1),
      atMost('seconds that the longest wait for a lock took', longestWait, 1),
      atMost('99 % of reads were answered within seconds', percentile(answered.reads, 99), 1),
      atMost('99 % of purchases were answered within seconds', percentile(answered.purchases, 99), 1),
      atLeast('purchases that were answered meanwhile', answered.purchases.length, 1),
    ]
  } finally {
    await pool?.close().catch(() => {})
    await postgres.stop()
  }
}

type PaidOrder = { readonly id: string; readonly from: Address; readonly amount: bigint }

/** Makes an order for the first level for each buyer, paid from the wallet alone, as the api's database role. */
async function orderOnline(ownerUrl: string, buyers: readonly Buyer[]): Promise<PaidOrder[]> {
  await query(
    ownerUrl,
    `insert into lode.chain_state (chain_id, vault, genesis_hash, posted_number, posted_hash, posted_time)
     values (${CHAIN}, '\\x${'00'.repeat(20)}', '${NO_HASH.replace('0x', '\\x')}', 0, '${NO_HASH.replace('0x', '\\x')}', now())`,
  )
  const { db, close } = connectDatabase(urlAs(ownerUrl, 'lode_api'), { name: 'bench', max: 1 })
  const plan = await createPlans({ decimals: DECIMALS, operators: null }).inForce(db)
  await close()
  const level = plan?.levels[1]
  if (!plan || !level) throw new Error('no plan is in force')
  const orders = buyers.map(({ account }) => ({ id: randomUUID(), from: account as Address, amount: level.price }))
  const client = new pg.Client({ connectionString: urlAs(ownerUrl, 'lode_api') })
  await client.connect()
  const { rows } = await client.query<{ verdict: string }>(
    `select distinct lode.make_order(member, session, id, 1, $4, 'USDT', $5, 0, $6, 1, $7, $8) as verdict
     from unnest($1::bigint[], $2::uuid[], $3::uuid[]) as given (member, session, id)`,
    [
      buyers.map(({ member }) => member),
      buyers.map(({ sessionId }) => sessionId),
      orders.map(({ id }) => id),
      plan.version,
      String(level.price),
      plan.quoteMinutes,
      String(level.power),
      String(level.airdrop),
    ],
  )
  await client.end()
  if (rows.some(({ verdict }) => verdict !== 'ok')) throw new Error(`not every order was made: ${rows[0]?.verdict}`)
  return orders
}

async function measureCpu(databasePid: number, run: () => Promise<unknown>) {
  const before = cpuMsOf(databasePid)
  const own = process.cpuUsage()
  await run()
  // The CPU time of an ended backend is counted only after the server has noticed its end.
  await sleep(1_000)
  const { user, system } = process.cpuUsage(own)
  return { database: cpuMsOf(databasePid) - before, own: (user + system) / 1_000 }
}

/** Posts one block after the other and returns the seconds that all took. */
async function settleBlocks(
  ownerUrl: string,
  { first, blocks }: { readonly first: number; readonly blocks: readonly (readonly PaidOrder[])[] },
): Promise<number> {
  const { db, close } = connectDatabase(urlAs(ownerUrl, 'lode_worker'), { name: 'lode worker', max: 2 })
  const plans = createPlans({ decimals: DECIMALS, operators: null })
  const settlements: Settlements = {
    payments: createPaymentSettlement({
      settlePromotions: createPromotionSettlement(plans),
      settlePledges: async () => ({ purchases: [], finish: async () => {} }),
      log: createLogger('bench', 'silent'),
    }),
    payouts: {
      settle: () => Promise.reject(new Error('these blocks have no payouts')),
      releaseOf: async () => null,
      conclude: async () => {},
    },
  }
  const time = new Date()
  const blockAt = (number: number) => ({ number: BigInt(number), hash: NO_HASH, parentHash: NO_HASH, time })
  const began = performance.now()
  for (const [index, orders] of blocks.entries()) {
    const before = performance.now()
    const block = first + index
    const movements = orders.map((order, logIndex) => paymentOf(order, block, logIndex))
    const run = {
      after: blockAt(block - 1),
      last: blockAt(block),
      isFirst: false,
      movements,
      notPaid: [],
      problems: [],
      poolAddresses: [],
      administrativeEvents: [],
      timeOf: () => time,
      node: 'a node',
      // There is no chain here whose balances could be compared.
      custody: null,
    }
    const { outcome } = await postBlocks(db, { id: CHAIN, contracts: testContracts }, run, settlements)
    if (outcome !== 'unchecked') throw new Error(`block ${block} was not posted: ${outcome}`)
    console.log(`block ${block}: ${((performance.now() - before) / 1_000).toFixed(1)} s`)
  }
  const seconds = (performance.now() - began) / 1_000
  await close()
  return seconds
}

function paymentOf({ id, from, amount }: PaidOrder, block: number, logIndex: number): PaymentMovement {
  const tx = pad(numberToHex(block), { size: 32 })
  return {
    kind: 'payment',
    asset: 'USDT',
    amount,
    log: {
      address: testContracts.vault,
      topics: [],
      data: '0x',
      logIndex,
      blockNumber: BigInt(block),
      tx,
      blockHash: NO_HASH,
    },
    from,
    orderId: pad(`0x${id.replaceAll('-', '')}`, { size: 32 }),
  }
}

/** Begins a request at fixed times, however long the earlier ones take. Gives the seconds that each took. */
function requestEvery(everyMs: number, request: () => Promise<unknown>) {
  const seconds: number[] = []
  const open: Promise<void>[] = []
  const timer = setInterval(() => {
    const began = performance.now()
    open.push(
      request().then(() => {
        seconds.push((performance.now() - began) / 1_000)
      }),
    )
  }, everyMs)
  return {
    async end(): Promise<readonly number[]> {
      clearInterval(timer)
      await Promise.all(open)
      return seconds
    },
  }
}

async function expectSettled(ownerUrl: string, wanted: number): Promise<void> {
  const client = new pg.Client({ connectionString: ownerUrl })
  await client.connect()
  const { rows } = await client.query<{ settled: number }>(
    `select count(*)::int as settled from lode.pay_order where ended = 'success' and paid_tx is not null`,
  )
  await client.end()
  if (rows[0]?.settled !== wanted) throw new Error(`${rows[0]?.settled} of ${wanted} orders are settled`)
}

function percentile(values: readonly number[], percent: number): number {
  const sorted = values.toSorted((one, other) => one - other)
  return sorted[Math.ceil((sorted.length * percent) / 100) - 1] ?? Number.NaN
}
