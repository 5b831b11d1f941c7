import { createHash, randomUUID } from 'node:crypto'
import { formatAmount, type Units, units } from '@lode/kernel'
import { orderTypes } from '@lode/wire'
import { sql } from 'kysely'
import { pino } from 'pino'
import { type Address, type Hex, numberToHex, pad } from 'viem'
import { addressFromColumn } from '../../../platform/chain/hex-column.ts'
import { idOnChain } from '../../../platform/chain/id-on-chain.ts'
import { connectDatabase, type Database } from '../../../platform/db/database.ts'
import type { Session } from '../../../platform/http/session.ts'
import { testContracts } from '../../../testing/contracts.ts'
import { createTestDatabase } from '../../../testing/database.ts'
import { insertExpert } from '../../../testing/expert-fixture.ts'
import { type PaymentMovement, postBlocks, type Settlements } from '../../custody/index.ts'
import { post, type Transaction } from '../../ledger/index.ts'
import { createPaymentSettlement, type PromotionRow, readOrders } from '../../orders/index.ts'
import type { Plan, Plans } from '../../plan/index.ts'
import { makePromotion } from '../commands.ts'
import { createPromotionSettlement } from '../settle-promotions.ts'
import { type NaivePlan, NaivePromotion } from './naive-promotion.ts'

const CHAIN = 31337
const PLACED_AT_ONCE = 250
const DECIMALS = { USDT: 6, BTN: 18 } as const
const VAULT: Address = '0x00000000000000000000000000000000000000A0'

type Options = {
  /** Each member's inviter, by number, from 1 on; the first member has none. */
  readonly sponsors: readonly (number | null)[]
  readonly plans: readonly [Plan, ...Plan[]]
  /** BTN in the two reserves that airdrops come from. */
  readonly reserves: { readonly airdrop: bigint; readonly promotion: bigint }
  readonly clients?: number
}

export type PromotionFixture = Awaited<ReturnType<typeof openPromotionFixture>>

/**
 * Thousands of members in the tree, without processes or a chain. The functions of the api and the worker run here,
 * under their own database roles. A simple model runs beside them.
 */
export async function openPromotionFixture({ sponsors, plans: versions, reserves, clients = 2 }: Options) {
  const database = await createTestDatabase()
  const { db: owner } = database
  const as = (role: 'lode_api' | 'lode_worker') =>
    connectDatabase(database.urlOf(role), { name: 'promotion fixture', max: clients })
  const [api, worker] = [as('lode_api'), as('lode_worker')]
  await sql`
    insert into lode.member (account, invite_code, sponsor_id, lang)
    select substring(sha256(convert_to(number::text, 'UTF8')) for 20), lpad(number::text, 8, '0'), sponsor, 'en'
    from unnest(${sponsors}::bigint[]) with ordinality as given (sponsor, number) order by number`.execute(owner)
  for (let first = 1; first <= sponsors.length; first += PLACED_AT_ONCE)
    await sql`
      select lode.place_member(id) from lode.member
      where id between ${first} and ${first + PLACED_AT_ONCE - 1} order by id`.execute(owner)
  await sql`
    insert into lode.session (id, token_hash, member_id, mode)
    select md5(id::text)::uuid, sha256(id::text::bytea), id, 'full' from lode.member`.execute(owner)
  const start = new Date()
  await sql`
    insert into lode.chain_state (chain_id, vault, genesis_hash, posted_number, posted_hash, posted_time)
    values (${CHAIN}, ${Buffer.alloc(20)}, ${Buffer.alloc(32)}, 0, ${Buffer.alloc(32)}, ${start})`.execute(owner)
  await sql`alter table lode.plan disable trigger all`.execute(owner)
  await sql`insert into lode.token values ('USDT', ${DECIMALS.USDT}), ('BTN', ${DECIMALS.BTN})`.execute(owner)
  for (const plan of versions)
    await sql`
      insert into lode.plan (version, body, leaving_harder, starts_at, published_at, decision_id)
      values (${plan.version}, ${writtenPlan(plan)}, false, 'infinity', lode.now(), ${plan.version})`.execute(owner)

  const { rows: placed } = await sql<{ id: bigint; sponsor: bigint | null; parent: bigint | null; account: Buffer }>`
    select member.id, member.sponsor_id as sponsor, place.parent_id as parent, member.account
    from lode.member join lode.team_place place on place.member_id = member.id order by member.id`.execute(owner)

  const model = new NaivePromotion()
  const numberOf = (id: bigint | null): number | null => (id === null ? null : Number(id))
  for (const { id, sponsor, parent } of placed) model.add(Number(id), numberOf(sponsor), numberOf(parent))
  const accountOf = new Map(placed.map(({ id, account }) => [Number(id), addressFromColumn(account)]))

  let blocks = 0
  let posted = 0
  const logOf = (logIndex: number) => ({
    address: VAULT.toLowerCase() as Hex,
    topics: [],
    data: '0x' as Hex,
    logIndex,
    blockNumber: BigInt(blocks),
    tx: pad(numberToHex(blocks), { size: 32 }),
    blockHash: pad(numberToHex(blocks), { size: 32 }),
  })

  for (const [reserve, amount] of Object.entries(reserves)) {
    blocks += 1
    if (amount > 0n)
      await post(worker.db, [
        {
          type: 'reserveFunding',
          key: `chain:${CHAIN}:${logOf(0).tx}:0`,
          moves: [
            {
              asset: 'BTN',
              amount: units('BTN', amount),
              from: 'custody:vault',
              to: `reserve:${reserve as 'airdrop'}`,
            },
          ],
        },
      ])
  }
  model.pool.airdrop = reserves.airdrop
  model.pool.promotion = reserves.promotion

  let inForce: Plan = versions[0]
  /** Replaces the plan in force by the next version. */
  async function publish(version: number): Promise<void> {
    inForce = versions.find((plan) => plan.version === version) ?? inForce
    await sql`update lode.plan set starts_at = lode.now() where version = ${version}`.execute(owner)
  }
  await publish(inForce.version)
  const plans: Plans = {
    inForce: async () => inForce,
    byVersion: async (_db, version) => versions.find((plan) => plan.version === version),
  }
  const settlement = createPaymentSettlement({
    settlePromotions: createPromotionSettlement(plans),
    settlePledges: async () => ({ purchases: [], finish: async () => {} }),
    log: pino({ level: 'silent' }),
  })
  const sessionOf = (member: number): Session =>
    ({
      id: createHash('md5').update(String(member)).digest('hex'),
      memberId: BigInt(member),
      account: accountOf.get(member),
      mode: 'full',
    }) as unknown as Session

  let lastBlock: PaidBlock = { payments: [], at: start }
  async function postPayments(block: PaidBlock, payments: Settlements['payments']): Promise<void> {
    lastBlock = block
    const result = await postBlocks(
      worker.db,
      { id: CHAIN, contracts: testContracts },
      {
        after: blockAt(posted, block.at),
        last: blockAt(blocks, block.at),
        isFirst: false,
        movements: block.payments,
        notPaid: [],
        problems: [],
        poolAddresses: [],
        administrativeEvents: [],
        timeOf: () => block.at,
        node: 'a node',
        // The deposits of this fixture are in no vault, so there is nothing to compare.
        custody: null,
      },
      { payouts: noPayouts, payments },
    )
    if (result.outcome === 'elsewhere') throw new Error('the blocks were not posted')
    posted = blocks
  }

  return {
    database,
    owner,
    api: api.db,
    worker: worker.db,
    model,
    settlement,
    sessionOf,
    plans,
    plan: (): Plan => inForce,
    publish,

    async authorise(member: number): Promise<void> {
      await insertExpert(owner, member)
      model.member(member).expert = true
    },

    /** Posts deposits, and adds them to the model. */
    async credit(amounts: ReadonlyMap<number, bigint>): Promise<void> {
      blocks += 1
      const entries = Array.from(amounts, ([member, amount], logIndex): Transaction => {
        model.member(member).usdt += amount
        const operation = `${logOf(logIndex).tx}:${logIndex}`
        const to = { kind: 'available', member: BigInt(member), line: { type: 'transferIn', operation } } as const
        const moves = [{ asset: 'USDT', amount: units('USDT', amount), from: 'custody:vault', to }] as const
        return { type: 'deposit', key: `chain:${CHAIN}:${operation}`, moves }
      })
      for (let at = 0; at < entries.length; at += 500) await post(worker.db, entries.slice(at, at + 500))
    },

    /** Orders as the api does, in one transaction. Returns the order, or the refusal. */
    async order(member: number, level: number, balancePart: bigint): Promise<PromotionRow | string> {
      const asked = { planVersion: inForce.version, level, balancePart }
      const made = await api.db
        .transaction()
        .execute((trx) => {
          const order = makePromotion(trx, { plans, session: sessionOf(member), onlineRefusal: () => null }, asked)
          return order.then((result) => {
            if (!result.ok) throw new Refused(result.error)
            return result.value
          })
        })
        .catch((error: unknown) => {
          if (error instanceof Refused) return error
          throw error
        })
      if (made instanceof Refused) return made.message
      const [row] = await readOrders(api.db, sql`where pay_order.id = ${made}`)
      if (row?.type !== orderTypes.promotion) throw new Error('made and not there')
      return row
    },

    /** Posts a final block in which these orders are paid, in this order, as the worker does. */
    async pay(orders: readonly PromotionRow[], at: Date, settlementInUse = settlement): Promise<void> {
      blocks += 1
      const payments = orders.map(
        (order, logIndex): PaymentMovement => ({
          kind: 'payment',
          log: logOf(logIndex),
          asset: 'USDT',
          amount: order.amount - order.balancePart,
          from: order.account,
          orderId: idOnChain(order.id),
        }),
      )
      await postPayments({ payments, at }, settlementInUse)
    },

    /** Posts the last block again, as after a crash of the worker. */
    payAgain: () => postPayments(lastBlock, settlement),

    async pass(at: Date): Promise<void> {
      blocks += 1
      await movePosted(worker.db, blocks, at)
      posted = blocks
      await settlement.conclude(worker.db)
    },

    async close(): Promise<void> {
      await Promise.all([api.close(), worker.close()])
      await database.drop()
    },
  }
}

type PaidBlock = { readonly payments: readonly PaymentMovement[]; readonly at: Date }

class Refused extends Error {}

const NO_HASH: Hex = pad('0x', { size: 32 })
const blockAt = (number: number, time: Date) => ({ number: BigInt(number), hash: NO_HASH, parentHash: NO_HASH, time })

const noPayouts: Settlements['payouts'] = {
  settle: () => Promise.reject(new Error('there are no payouts')),
  releaseOf: async () => null,
  conclude: async () => {},
}

const movePosted = (db: Database, number: number, at: Date) =>
  sql`update lode.chain_state set posted_number = ${number}, posted_time = ${at}, booked_number = ${number}`.execute(db)

/** The plan text, with the values that promotions need. */
const writtenPlan = ({ levels, allocation, upLevelLayers, quoteMinutes }: Plan): string =>
  JSON.stringify({
    allocation,
    upLevelLayers,
    quoteMinutes,
    levels: levels.map(({ price, power, airdrop, rewardsAtMost }) => ({
      price: formatAmount(price, DECIMALS.USDT),
      power,
      airdrop: formatAmount(airdrop, DECIMALS.BTN),
      rewardsAtMost,
    })),
  })

/** The plan as the model uses it. */
export const naivePlan = ({ allocation, upLevelLayers, levels }: Plan): NaivePlan => ({
  mining: allocation.miningFund,
  promotion: allocation.promotion,
  agent: allocation.agent,
  eachAbove: allocation.upLevel / upLevelLayers,
  layers: upLevelLayers,
  partner: allocation.partner,
  liquidity: allocation.liquidity,
  operations: allocation.operations,
  rewardsAtMost: levels.map(({ rewardsAtMost }) => rewardsAtMost),
})

/** A plan whose prices do not divide evenly, so that every division leaves a remainder. */
export function unevenPlan(version: number, parts: Partial<Plan['allocation']> = {}): Plan {
  const usdt = (value: bigint): Units<'USDT'> => units('USDT', value)
  const btn = (value: bigint): Units<'BTN'> => units('BTN', value)
  const quotas = { USDT: usdt(0n), BTN: btn(0n), BTC: units('BTC', 0n) }
  const level = (number: number) => ({
    price: usdt(number === 0 ? 0n : 99_999_937n * 2n ** BigInt(number - 1) + 1n),
    power: 2 * number,
    airdrop: btn(12_000n * BigInt(number) + 1n),
    rewardsAtMost: [0, 2, 4, 7, 9, 12][number] ?? 12,
    quotas,
  })
  const allocation = { miningFund: 6_500, promotion: 1_000, upLevel: 1_000, agent: 500, partner: 300, liquidity: 500 }
  const plan = {
    version,
    levels: [0, 1, 2, 3, 4, 5].map(level),
    allocation: { ...allocation, operations: 200, ...parts },
    upLevelLayers: 5,
    quoteMinutes: 30,
  }
  return plan as unknown as Plan
}

export const newKey = (): string => randomUUID()
