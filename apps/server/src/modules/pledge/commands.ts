import { randomUUID } from 'node:crypto'
import { ok, type Result, refused, units } from '@lode/kernel'
import { orderTypes } from '@lode/wire'
import { sql } from 'kysely'
import type { Decimals } from '../../platform/config/pool-contracts.ts'
import type { Database } from '../../platform/db/database.ts'
import { faultPoint } from '../../platform/faults/fault-point.ts'
import type { Session } from '../../platform/http/session.ts'
import { balances, post, runOnce } from '../ledger/index.ts'
import { makeOrder, postPurchase, readOrders, reservePosting, type SettledPurchase } from '../orders/index.ts'
import type { Plan, Plans } from '../plan/index.ts'
import { orderOnce, type PasswordHashing, type PasswordRefusal } from '../protection/index.ts'
import { type Asked, type Objection, objectionTo, type Situation } from './objections.ts'
import { paidPledges, pledgeDues } from './paying.ts'
import { rewardPosting } from './postings.ts'
import { weightOf } from './rules.ts'
import { keepDaysOpen, settledPledge } from './settling.ts'

type Acting = {
  readonly db: Database
  readonly hashing: PasswordHashing
  readonly plans: Plans
  readonly decimals: Decimals
  readonly session: Session
  /** Whether the vault accepts our quotes, as far as is known. */
  readonly quotesAreTaken: () => boolean
}

/** The password is present if a part is paid from the balance. */
type Order = Asked & { readonly key: string; readonly password: string | null }

type Refusal = Objection | 'account-disabled'
type OrderRefusal = Refusal | PasswordRefusal | 'key-conflict' | 'session-expired'

/**
 * Orders a pledge, once for each idempotency key, and returns the order's id. A pledge paid from the balance alone
 * begins at once. An order with an online part stays open until final blocks show whether it was paid.
 */
export const orderPledge = (acting: Acting, order: Order): Promise<Result<string, OrderRefusal>> =>
  orderOnce<Objection, Refusal>(acting, {
    command: {
      member: acting.session.memberId,
      key: order.key,
      name: 'pledge/order',
      terms: JSON.stringify([order.planVersion, String(order.quantity), order.termDays, String(order.balancePart)]),
    },
    password: order.password,
    objection: async (db) => objectionTo(order, await readSituation(db, acting, order, await acting.plans.inForce(db))),
    make: (inside) => makePledge(inside, acting, order),
  })

/** Runs inside one transaction, which is rolled back if this refuses. The password was verified before. */
export async function makePledge(
  inside: Database,
  acting: Pick<Acting, 'plans' | 'session' | 'decimals' | 'quotesAreTaken'>,
  order: Asked,
): Promise<Result<string, Refusal>> {
  const { session } = acting
  const { termDays, quantity, balancePart } = order
  const plan = await acting.plans.inForce(inside)
  const situation = await readSituation(inside, acting, order, plan)
  const objection = objectionTo(order, situation)
  if (objection) return refused(objection)
  const term = plan?.pledgeTerms.find(({ days }) => days === termDays)
  if (!plan || !term) return refused('pledge-term')

  const id = randomUUID()
  const type = orderTypes.pledge
  const amount = units('BTN', situation.amount)
  const verdict = await makeOrder(inside, session, {
    id,
    type,
    planVersion: plan.version,
    asset: 'BTN',
    amount,
    balancePart,
    quoteMinutes: plan.quoteMinutes,
    termDays,
    termWeight: term.weight,
    weight: weightOf(quantity, term.weight),
  })
  if (verdict !== 'ok') return refused(verdict)
  const settled = balancePart === amount ? await settledAtOnce(inside, id) : null
  const reserved = balancePart > 0n ? [reservePosting({ id, type, memberId: session.memberId, balancePart })] : []
  if (!(await postPurchase(inside, reserved, settled))) return refused('balance-insufficient')
  faultPoint('api:before-commit')
  return ok(id)
}

async function settledAtOnce(inside: Database, id: string): Promise<SettledPurchase> {
  const [order] = await readOrders(inside, sql`where pay_order.id = ${id}`)
  if (order?.type !== orderTypes.pledge) throw new Error(`order ${id} was made and is not there`)
  await keepDaysOpen(inside)
  return settledPledge(inside, { order, paid: null })
}

async function readSituation(
  db: Database,
  { session, decimals, quotesAreTaken }: Pick<Acting, 'session' | 'decimals' | 'quotesAreTaken'>,
  { quantity }: Asked,
  plan: Plan | null,
): Promise<Situation> {
  const { available } = (await balances(db, session.memberId)).BTN
  const { rows } = await sql<{ has_open: boolean }>`
    select exists (
      select from lode.pay_order
      where member_id = ${session.memberId} and type = ${orderTypes.pledge} and ended is null) as has_open`.execute(db)
  return {
    plan,
    available,
    hasOpenOrder: rows[0]?.has_open ?? false,
    paidOnline: quotesAreTaken(),
    amount: quantity * 10n ** BigInt(decimals.BTN),
  }
}

/**
 * Collects all dividends of a member's pledges into the balance and returns the amount in smallest units. It is one
 * ledger transaction for all days and pledges.
 */
export async function collectProduction(
  { db, session }: { readonly db: Database; readonly session: Session },
  { key }: { readonly key: string },
): Promise<Result<string, 'collect-nothing' | 'key-conflict'>> {
  const member = session.memberId
  const command = { member, key, name: 'pledge/collect', terms: '' }
  const collected = await runOnce<string, 'collect-nothing'>(db, command, async (inside) => {
    const dues = (await pledgeDues(inside, sql`lode.lock_pledges_of(${member})`)).filter(({ due }) => due > 0n)
    const amount = dues.reduce((sum, { due }) => sum + due, 0n)
    if (amount === 0n) return refused('collect-nothing')
    const [posted] = await post(inside, [rewardPosting(randomUUID(), member, amount)])
    if (posted?.outcome !== 'posted')
      throw new Error(`${amount} of member ${member} is due and not there: ${posted?.outcome}`)
    faultPoint('api:before-collect')
    await paidPledges(inside, dues, { postedAs: () => posted.transaction, forGood: false })
    faultPoint('api:before-commit')
    return ok(String(amount))
  })
  faultPoint('api:after-commit')
  return collected
}
