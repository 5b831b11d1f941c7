import { randomUUID } from 'node:crypto'
import { ok, type Result, refused, units } from '@lode/kernel'
import { orderTypes } from '@lode/wire'
import { sql } from 'kysely'
import type { Database } from '../../platform/db/database.ts'
import { faultPoint } from '../../platform/faults/fault-point.ts'
import type { Session } from '../../platform/http/session.ts'
import { balances, post, runOnce } from '../ledger/index.ts'
import { makeOrder, postPurchase, readOrders, reservePosting, type SettledPurchase } from '../orders/index.ts'
import type { Plan, Plans } from '../plan/index.ts'
import { orderOnce, type PasswordHashing, type PasswordRefusal } from '../protection/index.ts'
import { type Asked, type Objection, objectionTo, type Situation } from './objections.ts'
import type { Concerned } from './rules.ts'
import { decidePurchases, lockPlaces } from './settling.ts'

type Acting = {
  readonly db: Database
  readonly hashing: PasswordHashing
  readonly plans: Plans
  readonly session: Session
  /** Whether the vault accepts our quotes, as far as is known. */
  readonly quotesAreTaken: () => boolean
}

/** The password is present if a part is paid from the balance. */
type Order = Asked & { readonly key: string; readonly password: string | null }

type Refusal = Objection | 'account-disabled'
type OrderRefusal = Refusal | PasswordRefusal | 'key-conflict' | 'session-expired'

/**
 * Orders the next level, once for each idempotency key, and returns the order's id. An order paid from the balance
 * alone is settled at once. An order with an online part stays open until final blocks show whether it was
 * paid.
 */
export const orderPromotion = (acting: Acting, order: Order): Promise<Result<string, OrderRefusal>> =>
  orderOnce<Objection, Refusal>(acting, {
    command: {
      member: acting.session.memberId,
      key: order.key,
      name: 'promotion/order',
      terms: JSON.stringify([order.planVersion, order.level, String(order.balancePart)]),
    },
    password: order.password,
    objection: async (db) => objectionTo(order, await readSituation(db, acting, order, await acting.plans.inForce(db))),
    make: (inside) => makePromotion(inside, acting, order),
  })

/** Runs inside one transaction, which is rolled back if this refuses. The password was verified before. */
export async function makePromotion(
  inside: Database,
  acting: Pick<Acting, 'plans' | 'session' | 'quotesAreTaken'>,
  order: Asked,
): Promise<Result<string, Refusal>> {
  const { session } = acting
  const member = session.memberId
  const plan = await acting.plans.inForce(inside)
  const level = plan?.levels[order.level]
  // Only an order that is settled at once pays rewards. The locks of the receivers' places come before all others.
  const concerned = level?.price === order.balancePart ? await lockPlaces(inside, [member]) : null
  const objection = objectionTo(order, await readSituation(inside, acting, order, plan))
  if (objection) return refused(objection)
  if (!plan || !level) return refused('level-not-next')

  const id = randomUUID()
  const verdict = await makeOrder(inside, session, {
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
  const settled = concerned && (await settledAtOnce(inside, acting, id, concerned))
  const reserved =
    order.balancePart > 0n
      ? [reservePosting({ id, type: orderTypes.promotion, memberId: member, balancePart: order.balancePart })]
      : []
  if (!(await postPurchase(inside, reserved, settled))) return refused('balance-insufficient')
  faultPoint('api:before-commit')
  return ok(id)
}

async function settledAtOnce(
  inside: Database,
  { plans }: Pick<Acting, 'plans'>,
  id: string,
  concerned: ReadonlyMap<bigint, Concerned>,
): Promise<SettledPurchase> {
  const [order] = await readOrders(inside, sql`where pay_order.id = ${id}`)
  if (order?.type !== orderTypes.promotion) throw new Error(`order ${id} was made and is not there`)
  const [settled] = await decidePurchases(inside, plans, [{ order, paid: null }], concerned)
  if (!settled) throw new Error(`order ${id} was made and not decided`)
  return settled
}

async function readSituation(
  db: Database,
  { session, quotesAreTaken }: Pick<Acting, 'session' | 'quotesAreTaken'>,
  { level }: Asked,
  plan: Plan | null,
): Promise<Situation> {
  const { available } = (await balances(db, session.memberId)).USDT
  const { rows } = await sql<{ level: number; has_open: boolean }>`
    select member.level, exists (
             select from lode.pay_order
             where pay_order.member_id = member.id and type = ${orderTypes.promotion} and ended is null) as has_open
    from lode.member where id = ${session.memberId}`.execute(db)
  const [row] = rows
  if (!row) throw new Error('a session without a member')
  return {
    plan: plan && { version: plan.version, price: plan.levels[level]?.price ?? null },
    level: row.level,
    hasOpenOrder: row.has_open,
    available,
    paidOnline: quotesAreTaken(),
  }
}

type Claimed = { readonly rewards: number; readonly amount: string }

/** Claims all waiting Thanksgiving rewards into the balance. Returns how many, and how much in smallest units. */
export async function claimRewards(
  { db, session }: { readonly db: Database; readonly session: Session },
  { key }: { readonly key: string },
): Promise<Result<Claimed, 'expert-only' | 'claim-nothing' | 'key-conflict'>> {
  const member = session.memberId
  const command = { member, key, name: 'promotion/claim', terms: '' }
  const claimed = await runOnce<Claimed, 'expert-only' | 'claim-nothing'>(db, command, async (inside) => {
    // Keeps promotions of members below from being settled meanwhile.
    await lockPlaces(inside, [member])
    const { rows } = await sql<{ rewards: number | null; amount: string }>`
      select rewards, amount from lode.claim_rewards(${member})`.execute(inside)
    const [claimed] = rows
    if (!claimed || claimed.rewards === null) return refused('expert-only')
    if (claimed.rewards === 0) return refused('claim-nothing')
    const operation = randomUUID()
    const [outcome] = await post(inside, [
      {
        type: 'agentReward',
        member,
        key: `claim:${operation}`,
        moves: [
          {
            asset: 'USDT',
            amount: units('USDT', BigInt(claimed.amount)),
            from: { kind: 'agentUnclaimed', member },
            to: { kind: 'available', member, line: { type: 'agentReward', operation } },
          },
        ],
      },
    ])
    if (outcome?.outcome !== 'posted') throw new Error(`rewards of ${member} were claimed and are not there`)
    faultPoint('api:before-commit')
    return ok({ rewards: claimed.rewards, amount: claimed.amount })
  })
  faultPoint('api:after-commit')
  return claimed
}
