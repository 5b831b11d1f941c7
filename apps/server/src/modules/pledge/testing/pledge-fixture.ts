import { createHash, randomUUID } from 'node:crypto'
import { type Asset, type DayNumber, dayNumber, startOfDay, units } from '@lode/kernel'
import { orderTypes } from '@lode/wire'
import { sql } from 'kysely'
import { pino } from 'pino'
import { getAddress, type Hex, numberToHex, pad } from 'viem'
import { addressFromColumn, bytesOf } from '../../../platform/chain/hex-column.ts'
import { idOnChain } from '../../../platform/chain/id-on-chain.ts'
import type { Decimals } from '../../../platform/config/pool-contracts.ts'
import { connectDatabase, type Database } from '../../../platform/db/database.ts'
import type { Session } from '../../../platform/http/session.ts'
import { withoutCauseChecks } from '../../../testing/cause-checks.ts'
import { createTestDatabase } from '../../../testing/database.ts'
import { examplePlanText, publishFirstPlan } from '../../../testing/plan.ts'
import type { PaymentMovement } from '../../custody/index.ts'
import { post, type Transaction } from '../../ledger/index.ts'
import { createOperators, type PoolIdentity } from '../../operators/index.ts'
import { createPaymentSettlement, type PledgeRow, readOrders } from '../../orders/index.ts'
import { createPlans } from '../../plan/index.ts'
import { createPromotionSettlement } from '../../promotion/index.ts'
import { closeDays, returnPledges } from '../close-days.ts'
import { collectProduction, makePledge } from '../commands.ts'
import { settlePledges } from '../settle-pledges.ts'

const CHAIN = 31337
const VAULT = getAddress('0x00000000000000000000000000000000000000a0')
const DECIMALS: Decimals = { USDT: 6, BTN: 18, BTC: 8 }
export const BTN = 10n ** 18n

/**
 * Terms of one, three and seven days, so that many pledges begin and end, and a long one. All funding is shared out.
 */
export const planWithShortTerms = (changes: object = {}): string =>
  JSON.stringify({
    ...JSON.parse(examplePlanText),
    pledgeTerms: [
      { days: 1, weight: 10_000 },
      { days: 3, weight: 11_000 },
      { days: 7, weight: 15_000 },
      { days: 60, weight: 15_000 },
    ],
    dayFundingMax: '1000000',
    ...changes,
  })

export type PledgeFixture = Awaited<ReturnType<typeof openPledgeFixture>>

/**
 * Members with BTN, without processes or a chain. The functions of the api and the worker run here, under their own
 * database roles, and the test sets the clock.
 */
export async function openPledgeFixture({ members = 6, plan = planWithShortTerms(), clients = 2 } = {}) {
  const database = await createTestDatabase()
  const { db: owner } = database
  const as = (role: 'lode_api' | 'lode_worker') =>
    connectDatabase(database.urlOf(role), { name: 'pledge fixture', max: clients })
  const [api, worker] = [as('lode_api'), as('lode_worker')]
  const pool: PoolIdentity = { pool: VAULT, chainId: CHAIN }
  await sql`
    insert into lode.member (account, invite_code, sponsor_id, lang)
    select substring(sha256(convert_to(number::text, 'UTF8')) for 20), lpad(number::text, 8, '0'),
           case when number > 1 then 1 end, 'en'
    from generate_series(1, ${members}) as number order by number`.execute(owner)
  await sql`select lode.place_member(id) from lode.member order by id`.execute(owner)
  await sql`
    insert into lode.session (id, token_hash, member_id, mode)
    select md5(id::text)::uuid, sha256(id::text::bytea), id, 'full' from lode.member`.execute(owner)
  const signedBy = await publishFirstPlan(owner, pool, plan)
  const { rows: known } = await sql<{ day: number; account: Buffer[] }>`
    select (select lode.day_of(min(starts_at)) from lode.plan) as day, array_agg(account order by id) as account
    from lode.member`.execute(owner)
  const firstDay = dayNumber(known[0]?.day ?? 0)
  const accounts = (known[0]?.account ?? []).map(addressFromColumn)
  await sql`
    insert into lode.chain_state (chain_id, vault, genesis_hash, posted_number, posted_hash, posted_time)
    values (${CHAIN}, ${bytesOf(VAULT)}, ${Buffer.alloc(32)}, 0, ${Buffer.alloc(32)}, ${startOfDay(firstDay)})`.execute(
    owner,
  )

  const plans = createPlans({ decimals: DECIMALS, operators: null })
  const operators = createOperators({ ...pool, ceremony: null })
  const settlement = createPaymentSettlement({
    settlePromotions: createPromotionSettlement(plans),
    settlePledges,
    log: pino({ level: 'silent' }),
  })
  let blocks = 0
  const logOf = (logIndex: number) => ({
    address: VAULT.toLowerCase() as Hex,
    topics: [],
    data: '0x' as Hex,
    logIndex,
    blockNumber: BigInt(blocks),
    tx: pad(numberToHex(blocks), { size: 32 }),
    blockHash: pad(numberToHex(blocks), { size: 32 }),
  })
  const sessionOf = (member: number): Session =>
    ({
      id: createHash('md5').update(String(member)).digest('hex'),
      memberId: BigInt(member),
      account: accounts[member - 1],
      mode: 'full',
    }) as unknown as Session

  async function order(member: number, asked: { quantity: bigint; termDays: number; balancePart: bigint }) {
    const context = { plans, session: sessionOf(member), decimals: DECIMALS, onlineRefusal: () => null }
    const made = await api.db
      .transaction()
      .execute(async (trx) => {
        const result = await makePledge(trx, context, { planVersion: 1, ...asked })
        if (!result.ok) throw new Refused(result.error)
        return result.value
      })
      .catch((error: unknown) => {
        if (error instanceof Refused) return error
        throw error
      })
    if (made instanceof Refused) return made.message
    const [row] = await readOrders(api.db, sql`where pay_order.id = ${made}`)
    if (row?.type !== orderTypes.pledge) throw new Error('made and not there')
    return row
  }

  return {
    database,
    owner,
    api: api.db,
    worker: worker.db,
    pool,
    plans,
    operators,
    settlement,
    firstDay,
    sessionOf,
    ...signedBy,
    order,

    /** Appoints a partner, as two operators and the worker would have done on that day. */
    async appoint(member: number, on: DayNumber): Promise<void> {
      await sql`
        with application as (insert into lode.partner_application (member_id) values (${member}) returning id)
        insert into lode.partner (member_id, application_id, approved_day, plan_version, airdrop)
        select ${member}, id, ${on}, 1, 0 from application`.execute(owner)
    },

    /** Sets the clock, and makes all blocks up to that moment final and posted. */
    async setTime(day: DayNumber, hour: number, { posted = true } = {}): Promise<Date> {
      const moment = new Date(startOfDay(day).getTime() + hour * 3_600_000)
      await sql`update lode.clock set shift = ${moment}::timestamptz - pg_catalog.now()`.execute(owner)
      blocks += 1
      if (posted) await movePosted(owner, blocks, moment)
      return moment
    },

    async credit(member: number, asset: Asset, amount: bigint): Promise<void> {
      blocks += 1
      const operation = `${logOf(0).tx}:0`
      const to = { kind: 'available', member: BigInt(member), line: { type: 'transferIn', operation } } as const
      const moves = [{ asset, amount: units(asset, amount), from: 'custody:vault', to }] as const
      await post(worker.db, [{ type: 'deposit', key: `chain:${CHAIN}:${operation}`, moves } as unknown as Transaction])
    },

    /** Posts a funding as the watcher does. It names the given Bitcoin output, or one that nobody looks for. */
    async fund(day: number, amount: bigint, output?: { transactionId: string; index: number }): Promise<void> {
      blocks += 1
      const { tx, logIndex } = logOf(0)
      await worker.db.transaction().execute(async (trx) => {
        const moves = [
          { asset: 'BTC', amount: units('BTC', amount), from: 'custody:vault', to: 'dividend:funded' },
        ] as const
        await post(trx, [{ type: 'dividendFunding', key: `chain:${CHAIN}:${tx}:${logIndex}`, moves }])
        await sql`
          insert into lode.dividend_funding
            (tx, log_index, block_number, block_time, day, funder, amount, bitcoin_txid, bitcoin_output)
          values (${bytesOf(tx)}, ${logIndex}, ${blocks}, lode.now(), ${day}, ${bytesOf(VAULT)}, ${String(amount)}::numeric,
                  ${bytesOf(output ? `0x${output.transactionId}` : tx)}, ${output?.index ?? 0})`.execute(trx)
      })
    },

    /** Posts the partners' part of a promotion that this member paid from the balance. */
    async fundPartners(buyer: number, amount: bigint): Promise<void> {
      const operation = randomUUID()
      const [member, line] = [BigInt(buyer), { type: 'upLevelByBalance', operation } as const]
      const move = { asset: 'USDT', amount: units('USDT', amount) } as const
      const aside = { kind: 'frozenOrder', member, line } as const
      const available = { kind: 'available', member, line } as const
      const promotion: Transaction[] = [
        { type: 'orderReserve', member, key: `a:${operation}`, moves: [{ ...move, from: available, to: aside }] },
        {
          type: 'promotionByBalance',
          member,
          key: `b:${operation}`,
          moves: [{ ...move, from: aside, to: 'partner:funded' }],
        },
      ]
      await withoutCauseChecks(owner, () => post(api.db, promotion))
    },

    /** Orders a pledge, paid wholly from the balance. */
    pledge: (member: number, quantity: bigint, termDays: number) =>
      order(member, { quantity, termDays, balancePart: quantity * BTN }),

    /** Posts a final block in which these orders are paid. */
    async pay(orders: readonly PledgeRow[], at: Date): Promise<void> {
      blocks += 1
      const payments = orders.map(
        (one, logIndex): PaymentMovement => ({
          kind: 'payment',
          log: logOf(logIndex),
          asset: 'BTN',
          amount: one.amount - one.balancePart,
          from: one.account,
          orderId: idOnChain(one.id),
        }),
      )
      await worker.db.transaction().execute(async (trx) => {
        const settled = await settlement.settle(trx, CHAIN, { payments, timeOf: () => at })
        const entries = payments.flatMap((payment) => settled.transactionsFor(payment) ?? [])
        const outcomes = await post(trx, [...entries, ...settled.furtherTransactions])
        if (outcomes.some(({ outcome }) => outcome !== 'posted')) throw new Error(JSON.stringify(outcomes))
        await settled.finish()
      })
    },

    close: ({ looksForEvidence = false } = {}) => closeDays(worker.db, { plans, operators, looksForEvidence }),
    returnPledges: () => returnPledges(worker.db),

    /** Returns the collected amount in smallest units. */
    async collect(member: number, key: string): Promise<bigint> {
      const collected = await collectProduction({ db: api.db, session: sessionOf(member) }, { key })
      if (collected.ok) return BigInt(collected.value)
      if (collected.error === 'collect-nothing') return 0n
      throw new Error(collected.error)
    },

    async end(): Promise<void> {
      await Promise.all([api.close(), worker.close()])
      await database.drop()
    },
  }
}

class Refused extends Error {}

const movePosted = (db: Database, number: number, at: Date) =>
  sql`update lode.chain_state set posted_number = ${number}, posted_time = ${at}, booked_number = ${number}`.execute(db)
