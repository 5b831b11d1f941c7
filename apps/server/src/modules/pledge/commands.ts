import { randomUUID } from 'node:crypto'
import { ok, type Result, refused, units } from '@lode/kernel'
import { orderTypes } from '@lode/wire'
import { sql } from 'kysely'
import type { Decimals } from '../../platform/config/pool-contracts.ts'
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
import { loadDueDividends, recordDividendPayments } from './dividend-payments.ts'
import { findObjection, type Objection, type PledgeRequest, type Situation } from './objections.ts'
import { dividendPosting } from './postings.ts'
import { computeWeight } from './rules.ts'
import { keepDaysOpen, settleOpenPledges } from './settle-pledges.ts'

type PledgeOrderContext = PurchaseContext & { readonly plans: Plans; readonly decimals: Decimals }

/** The password is null if no part is paid from the balance. */
type PledgeOrderCommand = PledgeRequest & { readonly key: string; readonly password: string | null }

type Refusal = Objection | 'account-disabled'
type OrderRefusal = Refusal | PasswordRefusal | 'key-conflict' | 'session-expired'

/**
 * Orders a pledge, once for each idempotency key, and returns the order's id. An order paid from the balance alone is
 * settled at once. An order with an online part stays open until final blocks show whether it was paid.
 */
export const orderPledge = (
  context: PledgeOrderContext,
  order: PledgeOrderCommand,
): Promise<Result<string, OrderRefusal>> =>
  orderOnce<Objection, Refusal>(context, {
    command: {
      member: context.session.memberId,
      key: order.key,
      name: 'pledge/order',
      terms: JSON.stringify([order.planVersion, String(order.quantity), order.termDays, String(order.balancePart)]),
    },
    password: order.password,
    objection: async (db) =>
      findObjection(order, await readSituation(db, context, order, await context.plans.inForce(db))),
    make: (trx) => makePledge(trx, context, order),
  })

/** Runs inside the caller's transaction. The caller has verified the password, and rolls back after a refusal. */
export async function makePledge(
  trx: Database,
  context: Pick<PledgeOrderContext, 'plans' | 'session' | 'decimals' | 'onlineRefusal'>,
  order: PledgeRequest,
): Promise<Result<string, Refusal>> {
  const { session } = context
  const { termDays, quantity, balancePart } = order
  const plan = await context.plans.inForce(trx)
  const situation = await readSituation(trx, context, order, plan)
  const objection = findObjection(order, situation)
  if (objection) return refused(objection)
  const term = plan?.pledgeTerms.find(({ days }) => days === termDays)
  if (!plan || !term) return refused('pledge-term')

  const id = randomUUID()
  const type = orderTypes.pledge
  const amount = units('BTN', situation.amount)
  const verdict = await makeOrder(trx, session, {
    id,
    type,
    planVersion: plan.version,
    asset: 'BTN',
    amount,
    balancePart,
    quoteMinutes: plan.quoteMinutes,
    termDays,
    termWeight: term.weight,
    weight: computeWeight(quantity, term.weight),
  })
  if (verdict !== 'ok') return refused(verdict)
  const settled = balancePart === amount ? await settleAtOnce(trx, id) : null
  const freezeEntries = balancePart > 0n ? [freezePosting({ id, type, memberId: session.memberId, balancePart })] : []
  if (!(await postPurchase(trx, freezeEntries, settled))) return refused('balance-insufficient')
  faultPoint('api:before-commit')
  return ok(id)
}

async function settleAtOnce(trx: Database, id: string): Promise<SettledPurchases> {
  const [order] = await readOrders(trx, sql`where pay_order.id = ${id}`)
  if (order?.type !== orderTypes.pledge) throw new Error(`order ${id} was just made and cannot be read`)
  await keepDaysOpen(trx)
  return settleOpenPledges(trx, [{ order, paid: null }])
}

async function readSituation(
  db: Database,
  { session, decimals, onlineRefusal }: Pick<PledgeOrderContext, 'session' | 'decimals' | 'onlineRefusal'>,
  { quantity }: PledgeRequest,
  plan: Plan | null,
): Promise<Situation> {
  const { available } = (await readBalances(db, session.memberId)).BTN
  const { rows } = await sql<{ has_open: boolean }>`
    select exists (
      select from lode.pay_order
      where member_id = ${session.memberId} and type = ${orderTypes.pledge} and ended is null) as has_open`.execute(db)
  return {
    plan,
    available,
    hasOpenOrder: rows[0]?.has_open ?? false,
    onlineRefusal: onlineRefusal(),
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
  const collected = await runOnce<string, 'collect-nothing'>(db, command, async (trx) => {
    const amount = await payDueDividends(trx, member)
    if (amount === 0n) return refused('collect-nothing')
    faultPoint('api:before-commit')
    return ok(String(amount))
  })
  faultPoint('api:after-commit')
  return collected
}

/** Pays all due dividends of a member into the balance, in the caller's transaction. Returns the amount. */
export async function payDueDividends(trx: Database, member: bigint): Promise<bigint> {
  const dues = (await loadDueDividends(trx, sql`lode.lock_pledges_of(${member})`)).filter(({ due }) => due > 0n)
  const amount = dues.reduce((sum, { due }) => sum + due, 0n)
  if (amount === 0n) return 0n
  const [posted] = await post(trx, [dividendPosting(randomUUID(), member, amount)])
  if (posted?.outcome !== 'posted')
    throw new Error(`${amount} that is due to member ${member} could not be posted: ${posted?.outcome}`)
  faultPoint('api:before-collect')
  await recordDividendPayments(trx, dues, { transactionOf: () => posted.transaction, isFinal: false })
  return amount
}
