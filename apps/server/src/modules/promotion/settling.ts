import { units } from '@lode/kernel'
import { sql } from 'kysely'
import { bytesOf } from '../../platform/chain/column.ts'
import type { Database } from '../../platform/db/database.ts'
import {
  lockOpen,
  type PromotionRow,
  type Purchase,
  releasePosting,
  type SettledPurchase,
  type SettlePurchases,
} from '../orders/index.ts'
import type { Plans } from '../plan/index.ts'
import { airdropPosting, promotionPosting } from './postings.ts'
import { type Allocation, allocate, type Concerned, type Standing } from './rules.ts'

/**
 * Settles the orders that the chain has paid, in chain order. Locks are taken in the common order: the places of all
 * receivers, then the orders, then the ledger accounts (by the caller, in one posting).
 */
export const createPromotionSettling =
  (plans: Plans): SettlePurchases<PromotionRow> =>
  async (inside, purchases) => {
    const concerned = await lockPlaces(
      inside,
      purchases.map(({ order }) => order.memberId),
    )
    return decidePurchases(inside, plans, await lockOpen(inside, purchases), concerned)
  }

/** Locks the places of all receivers of these buyers' promotions, upward, and returns the receivers by buyer. */
export async function lockPlaces(inside: Database, buyers: readonly bigint[]): Promise<Map<bigint, Concerned>> {
  const distinct = Array.from(new Set(buyers))
  const { rows } = await sql<{ buyer: bigint; above: bigint; layer: number | null; is_sponsor: boolean }>`
    select buyer, above, layer, is_sponsor from lode.lock_places(${distinct.map(String)}::bigint[])
    order by buyer, layer nulls last`.execute(inside)
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

/** Decides each purchase in turn, under the locks. Each one sees the standing that the purchase before it left. */
export async function decidePurchases(
  inside: Database,
  plans: Plans,
  purchases: readonly Purchase<PromotionRow>[],
  concerned: ReadonlyMap<bigint, Concerned>,
): Promise<SettledPurchase[]> {
  const members = Array.from(concerned, ([buyer, { sponsor, above }]) => [
    buyer,
    ...above,
    ...(sponsor ? [sponsor] : []),
  ])
  const standings = await readStandings(inside, members.flat())
  const standingOf = (member: bigint): Standing => {
    const standing = standings.get(member)
    if (!standing) throw new Error(`member ${member} was locked and is not there`)
    return standing
  }

  const settled: SettledPurchase[] = []
  for (const purchase of purchases) {
    const { order, paid } = purchase
    const buyer = standingOf(order.memberId)
    if (buyer.level + 1 !== order.level) {
      settled.push(heldAlready(inside, purchase))
      continue
    }
    const plan = await plans.byVersion(inside, order.planVersion)
    if (!plan) throw new Error(`order ${order.id} was made under plan ${order.planVersion}, which is not there`)
    const around = concerned.get(order.memberId)
    if (!around) throw new Error(`nobody was locked for order ${order.id}`)
    const bought = { level: order.level, price: units('USDT', order.amount) }
    const allocation = allocate(plan, bought, around, standingOf)
    standings.set(order.memberId, { ...buyer, level: order.level })
    for (const { member, type, failed } of allocation.rewards)
      if (type === 'promotionReward' && failed === null)
        standings.set(member, { ...standingOf(member), rewards: standingOf(member).rewards + 1 })

    const airdrop = airdropPosting(order)
    settled.push({
      orderId: order.id,
      takes: true,
      entries: [promotionPosting(purchase, allocation), ...(airdrop ? [airdrop] : [])],
      mayLack: airdrop ? [airdrop] : [],
      finish: (isPosted) => write(inside, { order, paid }, allocation, airdrop && isPosted(airdrop)),
    })
  }
  return settled
}

/** The member has this level already: the online payment becomes a deposit, and the frozen part is given back. */
function heldAlready(inside: Database, { order, paid }: Purchase<PromotionRow>): SettledPurchase {
  if (!paid) throw new Error(`order ${order.id} was made for a level that is not the next`)
  return {
    orderId: order.id,
    takes: false,
    entries: order.balancePart > 0n ? [releasePosting(order)] : [],
    mayLack: [],
    finish: async () => {
      await sql`
        select lode.fail_order(${order.id}, ${bytesOf(paid.tx)}, ${paid.logIndex}, ${paid.at})`.execute(inside)
    },
  }
}

async function write(
  inside: Database,
  { order, paid }: Purchase<PromotionRow>,
  { rewards, miningFund }: Allocation,
  airdropPaid: boolean | null,
): Promise<void> {
  await sql`
    select lode.settle_promotion(
      ${order.id}, ${paid && bytesOf(paid.tx)}, ${paid?.logIndex ?? null}, ${paid?.at ?? null},
      ${String(miningFund)}::numeric, ${airdropPaid},
      ${rewards.map(({ member }) => String(member))}::bigint[], ${rewards.map(({ type }) => type)}::text[],
      ${rewards.map(({ layer }) => layer)}::int[], ${rewards.map(({ basisPoints }) => basisPoints)}::int[],
      ${rewards.map(({ amount }) => String(amount))}::numeric[], ${rewards.map(({ failed }) => failed)}::text[])`.execute(
    inside,
  )
}

async function readStandings(inside: Database, members: readonly bigint[]): Promise<Map<bigint, Standing>> {
  const { rows } = await sql<{ id: bigint; level: number; rewards: number; expert: boolean }>`
    select member.id, member.level, coalesce(tally.rewards, 0) as rewards, expert.member_id is not null as expert
    from lode.member
    left join lode.promotion_tally tally on tally.member_id = member.id
    left join lode.sharing_expert expert on expert.member_id = member.id
    where member.id = any(${Array.from(new Set(members), String)}::bigint[])`.execute(inside)
  return new Map(rows.map(({ id, ...standing }) => [id, standing]))
}
