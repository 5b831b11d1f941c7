import { units } from '@lode/kernel'
import { sql } from 'kysely'
import type { Database } from '../../platform/db/database.ts'
import {
  endOrders,
  lockOpenPurchases,
  type PromotionRow,
  type Purchase,
  type SettledPurchase,
  type SettledPurchases,
  type SettlePurchases,
  unfreezePosting,
} from '../orders/index.ts'
import type { Plans } from '../plan/index.ts'
import { airdropPosting, promotionPosting } from './postings.ts'
import { allocate, type ReceiverState, type Receivers } from './rules.ts'

/**
 * Settles promotions whose online payment is final, in chain order. Locks are taken in the common order: the places of
 * all receivers, then the orders, then the ledger accounts, which the caller locks by posting everything in one call.
 */
export const createPromotionSettlement =
  (plans: Plans): SettlePurchases<PromotionRow> =>
  async (trx, purchases) => {
    const receiversByBuyer = await lockPlaces(
      trx,
      purchases.map(({ order }) => order.memberId),
    )
    return settlePromotions(trx, plans, await lockOpenPurchases(trx, purchases), receiversByBuyer)
  }

/** Locks the places of these buyers and of all receivers of their promotions, upward. Returns receivers by buyer. */
export async function lockPlaces(trx: Database, buyers: readonly bigint[]): Promise<Map<bigint, Receivers>> {
  const distinct = Array.from(new Set(buyers))
  const { rows } = await sql<{ buyer: bigint; above: bigint; layer: number | null; is_sponsor: boolean }>`
    select buyer, above, layer, is_sponsor from lode.lock_places(${distinct.map(String)}::bigint[])
    order by buyer, layer nulls last`.execute(trx)
  const byBuyer = Map.groupBy(rows, ({ buyer }) => buyer)
  return new Map(
    distinct.map((buyer) => {
      const own = byBuyer.get(buyer) ?? []
      return [
        buyer,
        {
          sponsor: own.find(({ is_sponsor }) => is_sponsor)?.above ?? null,
          above: own.filter(({ layer }) => layer !== null).map(({ above }) => above),
        },
      ]
    }),
  )
}

/**
 * Decides each purchase in turn; the caller holds the locks. Each purchase sees the levels and reward counts after the
 * purchase before it.
 */
export async function settlePromotions(
  trx: Database,
  plans: Plans,
  purchases: readonly Purchase<PromotionRow>[],
  receiversByBuyer: ReadonlyMap<bigint, Receivers>,
): Promise<SettledPurchases> {
  const members = Array.from(receiversByBuyer, ([buyer, { sponsor, above }]) => [
    buyer,
    ...above,
    ...(sponsor ? [sponsor] : []),
  ])
  const states = await readReceiverStates(trx, members.flat())
  const stateOf = (member: bigint): ReceiverState => {
    const state = states.get(member)
    if (!state) throw new Error(`the locked member ${member} cannot be read`)
    return state
  }

  const settled: SettledPurchase[] = []
  const successful: Purchase<PromotionRow>[] = []
  const failed: Purchase<PromotionRow>[] = []
  for (const purchase of purchases) {
    const { order } = purchase
    const buyer = stateOf(order.memberId)
    if (buyer.level + 1 !== order.level) {
      settled.push(failLevelAlreadyHeld(purchase))
      failed.push(purchase)
      continue
    }
    const plan = await plans.byVersion(trx, order.planVersion)
    if (!plan) throw new Error(`order ${order.id} was made under plan ${order.planVersion}, which cannot be read`)
    const receivers = receiversByBuyer.get(order.memberId)
    if (!receivers) throw new Error(`the receivers of order ${order.id} are not locked`)
    const bought = { level: order.level, price: units('USDT', order.amount) }
    const allocation = allocate(plan, bought, receivers, stateOf)
    states.set(order.memberId, { ...buyer, level: order.level })
    for (const { member, type, failed } of allocation.rewards)
      if (type === 'promotionReward' && failed === null)
        states.set(member, { ...stateOf(member), rewards: stateOf(member).rewards + 1 })

    const airdrop = airdropPosting(order)
    settled.push({
      orderId: order.id,
      includesPayment: true,
      entries: [promotionPosting(purchase, allocation), ...(airdrop ? [airdrop] : [])],
      optionalEntries: airdrop ? [airdrop] : [],
    })
    successful.push(purchase)
  }
  return {
    purchases: settled,
    async finish() {
      // The database computes the rewards again. At commit it compares them with the posted transaction.
      await endOrders(trx, 'settle_promotion', successful)
      await endOrders(trx, 'fail_order', failed)
    },
  }
}

/** The member already has this level. So the online payment becomes a deposit, and the frozen part is unfrozen. */
function failLevelAlreadyHeld({ order, paid }: Purchase<PromotionRow>): SettledPurchase {
  if (!paid) throw new Error(`order ${order.id} was made for a level that is not the next`)
  return {
    orderId: order.id,
    includesPayment: false,
    entries: order.balancePart > 0n ? [unfreezePosting(order)] : [],
    optionalEntries: [],
  }
}

async function readReceiverStates(trx: Database, members: readonly bigint[]): Promise<Map<bigint, ReceiverState>> {
  const { rows } = await sql<{ id: bigint; level: number; rewards: number; expert: boolean }>`
    select member.id, member.level, coalesce(tally.rewards, 0) as rewards, expert.member_id is not null as expert
    from lode.member
    left join lode.promotion_tally tally on tally.member_id = member.id
    left join lode.sharing_expert expert on expert.member_id = member.id
    where member.id = any(${Array.from(new Set(members), String)}::bigint[])`.execute(trx)
  return new Map(rows.map(({ id, ...state }) => [id, state]))
}
