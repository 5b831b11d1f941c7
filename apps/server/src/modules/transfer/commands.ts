import { randomUUID } from 'node:crypto'
import { type Asset, ok, type Result, refused } from '@lode/kernel'
import { sql } from 'kysely'
import { addressFromColumn } from '../../platform/chain/column.ts'
import type { Database } from '../../platform/db/database.ts'
import { faultPoint } from '../../platform/faults/fault-point.ts'
import type { Session } from '../../platform/http/session.ts'
import { balances, post, runOnce, type Transaction } from '../ledger/index.ts'
import { readPayouts } from '../payout/index.ts'
import { burnedOf, type Plan, type Plans, quotaAt } from '../plan/index.ts'
import { orderOnce, type PasswordHashing, type PasswordRefusal, SessionEnded } from '../protection/index.ts'
import { type Asked, type Objection, objectionTo, type Situation } from './objections.ts'
import { releasePosting, requestPosting } from './postings.ts'

type Acting = {
  readonly db: Database
  readonly hashing: PasswordHashing
  readonly plans: Plans
  readonly session: Session
}

type Order = Asked & { readonly key: string; readonly asset: Asset; readonly password: string }

type OrderRefusal = Objection | PasswordRefusal | 'key-conflict' | 'session-expired'

/** Requests a transfer, once for its idempotency key, and returns its id. */
export const orderTransfer = (acting: Acting, order: Order): Promise<Result<string, OrderRefusal>> =>
  orderOnce<Objection, Objection>(acting, {
    command: {
      member: acting.session.memberId,
      key: order.key,
      name: 'transfer/order',
      terms: JSON.stringify([order.planVersion, order.address, order.asset, String(order.amount)]),
    },
    password: order.password,
    objection: async (db) => objectionTo(order, await readSituation(db, acting, order.asset)),
    make: (inside) => request(inside, acting, order),
  })

async function request(inside: Database, acting: Acting, order: Order): Promise<Result<string, Objection>> {
  const { session } = acting
  const { asset, amount } = order
  const member = session.memberId
  await sql`select pg_advisory_xact_lock(hashtextextended(${`transfer ${member}`}, 0))`.execute(inside)
  const situation = await readSituation(inside, acting, asset)
  const objection = objectionTo(order, situation)
  if (objection) return refused(objection)
  const plan = situation.inForce
  if (!plan) return refused('plan-none')

  const id = randomUUID()
  const { fee } = plan.transfer[asset]
  const { rows } = await sql<{ verdict: 'ok' | 'quota-insufficient' | 'session-expired' }>`
    select lode.request_transfer(${member}, ${session.id}, ${id}, ${asset}, ${amount}, ${fee}, ${burnedOf(plan, asset)},
                                 ${plan.version}, ${situation.quotaTotal}) as verdict`.execute(inside)
  const verdict = rows[0]?.verdict
  if (verdict === 'session-expired') throw new SessionEnded()
  if (verdict !== 'ok') return refused('quota-insufficient')
  const posted = await postOne(inside, requestPosting({ id, memberId: member, asset, amount, fee }))
  if (!posted) return refused('balance-insufficient')
  faultPoint('api:before-commit')
  return ok(id)
}

async function readSituation(
  db: Database,
  { plans, session }: Acting,
  asset: Asset,
): Promise<Situation & { readonly inForce: Plan | null; readonly quotaTotal: bigint }> {
  const plan = await plans.inForce(db)
  const { available } = (await balances(db, session.memberId))[asset]
  const { rows } = await sql<{ address: Buffer; level: number; used: string }>`
    select bound.address, member.level, lode.quota_used(member.id, ${asset}) as used
    from lode.member cross join lateral lode.bound_output_address(member.id, lode.now()) as bound
    where member.id = ${session.memberId}`.execute(db)
  const [row] = rows
  if (!row) throw new Error('a session without a member')
  const quotaTotal = plan ? quotaAt(plan, row.level)[asset] : 0n
  return {
    inForce: plan,
    plan: plan && { version: plan.version, ...plan.transfer[asset] },
    address: addressFromColumn(row.address),
    available,
    quotaLeft: quotaTotal - BigInt(row.used),
    quotaTotal,
  }
}

/** Cancels a transfer and unfreezes amount and fee at once. Needs no password: the money goes back to its owner. */
export function cancelTransfer(
  { db, session }: Pick<Acting, 'db' | 'session'>,
  { key, id }: { readonly key: string; readonly id: string },
): Promise<Result<string, 'order-unknown' | 'order-completed' | 'key-conflict'>> {
  const command = { member: session.memberId, key, name: 'transfer/cancel', terms: id }
  return runOnce<string, 'order-unknown' | 'order-completed'>(db, command, async (inside) => {
    const { rows } = await sql<{ verdict: 'ok' | 'order-unknown' | 'order-completed' }>`
      select lode.cancel_transfer(${session.memberId}, ${id}) as verdict`.execute(inside)
    const verdict = rows[0]?.verdict ?? 'order-unknown'
    if (verdict !== 'ok') return refused(verdict)
    const [row] = await readPayouts(inside, sql`where id = ${id}`)
    if (!row) throw new Error('a transfer was cancelled and is not there')
    if (!(await postOne(inside, releasePosting({ ...row, memberId: session.memberId }))))
      throw new Error(`transfer ${id} is not what is frozen`)
    faultPoint('api:before-commit')
    return ok(id)
  })
}

/** Returns false if the balance is too low. Any outcome other than `posted` means that the key was used before. */
async function postOne(inside: Database, transaction: Transaction): Promise<boolean> {
  const [posted] = await post(inside, [transaction])
  if (posted?.outcome === 'insufficient') return false
  if (posted?.outcome !== 'posted') throw new Error(`${transaction.key} was ${posted?.outcome ?? 'not answered'}`)
  return true
}
