import { randomUUID } from 'node:crypto'
import { ok, type Result, refused, units } from '@lode/kernel'
import { orderTypes } from '@lode/wire'
import { sql } from 'kysely'
import type { Database } from '../../platform/db/database.ts'
import { faultPoint } from '../../platform/faults/fault-point.ts'
import type { Session } from '../../platform/http/session.ts'
import { post, readBalances, runOnce } from '../ledger/index.ts'
import {
  freezePosting,
  makeOrder,
  type PurchaseContext,
  postPurchase,
  readOrders,
  type SettledPurchases,
} from '../orders/index.ts'
import type { Plan, Plans } from '../plan/index.ts'
import { orderOnce, type PasswordRefusal } from '../protection/index.ts'
import { findObjection, type Objection, type PromotionRequest, type Situation } from './objections.ts'
import type { Receivers } from './rules.ts'
import { lockPlaces, settlePromotions } from './settle-promotions.ts'

type PromotionOrderContext = PurchaseContext & { readonly plans: Plans }

/** The password is null if no part is paid from the balance. */
type PromotionOrderCommand = PromotionRequest & { readonly key: string; readonly password: string | null }

type Refusal = Objection | 'account-disabled'
type OrderRefusal = Refusal | PasswordRefusal | 'key-conflict' | 'session-expired'

/**
 * Orders the next level, once for each idempotency key, and returns the order's id. An order paid from the balance
 * alone is settled at once. An order with an online part stays open until final blocks show whether it was paid.
 */
export const orderPromotion = (
  context: PromotionOrderContext,
  order: PromotionOrderCommand,
): Promise<Result<string, OrderRefusal>> =>
  orderOnce<Objection, Refusal>(context, {
    command: {
      member: context.session.memberId,
      key: order.key,
      name: 'promotion/order',
      terms: JSON.stringify([order.planVersion, order.level, String(order.balancePart)]),
    },
    password: order.password,
    objection: async (db) =>
      findObjection(order, await readSituation(db, context, order, await context.plans.inForce(db))),
    make: (trx) => makePromotion(trx, context, order),
  })

/** Runs inside the caller's transaction. The caller has verified the password, and rolls back after a refusal. */
export async function makePromotion(
  trx: Database,
  context: Pick<PromotionOrderContext, 'plans' | 'session' | 'onlineRefusal'>,
  order: PromotionRequest,
): Promise<Result<string, Refusal>> {
  const { session } = context
  const member = session.memberId
  const plan = await context.plans.inForce(trx)
  const level = plan?.levels[order.level]
  // An order that is paid from the balance alone is settled here and pays rewards. So the places of the receivers are
  // locked first, before all other rows.
  const receiversByBuyer = level?.price === order.balancePart ? await lockPlaces(trx, [member]) : null
  const objection = findObjection(order, await readSituation(trx, context, order, plan))
  if (objection) return refused(objection)
  if (!plan || !level) return refused('level-not-next')

  const id = randomUUID()
  const verdict = await makeOrder(trx, session, {
    id,
    type: orderTypes.promotion,
    planVersion: plan.version,
    asset: 'USDT',
    amount: level.price,
    balancePart: order.balancePart,
    quoteMinutes: plan.quoteMinutes,
    level: order.level,
    power: level.power,
    airdrop: level.airdrop,
  })
  if (verdict !== 'ok') return refused(verdict)
  const settled = receiversByBuyer && (await settleAtOnce(trx, context, id, receiversByBuyer))
  const freezeEntries =
    order.balancePart > 0n
      ? [freezePosting({ id, type: orderTypes.promotion, memberId: member, balancePart: order.balancePart })]
      : []
  if (!(await postPurchase(trx, freezeEntries, settled))) return refused('balance-insufficient')
  faultPoint('api:before-commit')
  return ok(id)
}

async function settleAtOnce(
  trx: Database,
  { plans }: Pick<PromotionOrderContext, 'plans'>,
  id: string,
  receiversByBuyer: ReadonlyMap<bigint, Receivers>,
): Promise<SettledPurchases> {
  const [order] = await readOrders(trx, sql`where pay_order.id = ${id}`)
  if (order?.type !== orderTypes.promotion) throw new Error(`order ${id} was just made and cannot be read`)
  return settlePromotions(trx, plans, [{ order, paid: null }], receiversByBuyer)
}

async function readSituation(
  db: Database,
  { session, onlineRefusal }: Pick<PromotionOrderContext, 'session' | 'onlineRefusal'>,
  { level }: PromotionRequest,
  plan: Plan | null,
): Promise<Situation> {
  const { available } = (await readBalances(db, session.memberId)).USDT
  const { rows } = await sql<{ level: number; has_open: boolean }>`
    select member.level, exists (
             select from lode.pay_order
             where pay_order.member_id = member.id and type = ${orderTypes.promotion} and ended is null) as has_open
    from lode.member where id = ${session.memberId}`.execute(db)
  const [row] = rows
  if (!row) throw new Error('the session has no member')
  return {
    plan: plan && { version: plan.version, price: plan.levels[level]?.price ?? null },
    level: row.level,
    hasOpenOrder: row.has_open,
    available,
    onlineRefusal: onlineRefusal(),
  }
}

type ClaimedRewards = { readonly rewards: number; readonly amount: string }

/** Claims all waiting Thanksgiving rewards into the balance. Returns how many, and how much in smallest units. */
export async function claimRewards(
  { db, session }: { readonly db: Database; readonly session: Session },
  { key }: { readonly key: string },
): Promise<Result<ClaimedRewards, 'expert-only' | 'claim-nothing' | 'key-conflict'>> {
  const member = session.memberId
  const command = { member, key, name: 'promotion/claim', terms: '' }
  const claimed = await runOnce<ClaimedRewards, 'expert-only' | 'claim-nothing'>(db, command, async (trx) => {
    const paid = await payWaitingRewards(trx, member)
    if (!paid) return refused('expert-only')
    if (paid.rewards === 0) return refused('claim-nothing')
    faultPoint('api:before-commit')
    return ok(paid)
  })
  faultPoint('api:after-commit')
  return claimed
}

/**
 * Pays all waiting Thanksgiving rewards of a member into the balance, in the caller's transaction. Returns null if the
 * member is no sharing expert.
 */
export async function payWaitingRewards(trx: Database, member: bigint): Promise<ClaimedRewards | null> {
  // Keeps promotions of members below from being settled meanwhile, because they could add a reward.
  await lockPlaces(trx, [member])
  const operation = randomUUID()
  const { rows } = await sql<{ rewards: number | null; amount: string }>`
    select rewards, amount from lode.claim_rewards(${member}, ${operation})`.execute(trx)
  const [claimed] = rows
  if (!claimed || claimed.rewards === null) return null
  const { rewards, amount } = claimed
  if (rewards === 0) return { rewards, amount }
  const from = { kind: 'agentUnclaimed', member } as const
  const to = { kind: 'available', member, line: { type: 'agentReward', operation } } as const
  const moves = [{ asset: 'USDT', amount: units('USDT', BigInt(amount)), from, to }] as const
  const [outcome] = await post(trx, [{ type: 'agentReward', member, key: `claim:${operation}`, moves }])
  if (outcome?.outcome !== 'posted')
    throw new Error(`the claimed rewards of member ${member} could not be posted: ${outcome?.outcome}`)
  return { rewards, amount }
}
