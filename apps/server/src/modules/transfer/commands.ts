import { randomUUID } from 'node:crypto'
import { type Asset, ok, type Result, refused } from '@lode/kernel'
import { sql } from 'kysely'
import { addressFromColumn } from '../../platform/chain/hex-column.ts'
import type { Database } from '../../platform/db/database.ts'
import { faultPoint } from '../../platform/faults/fault-point.ts'
import type { Session } from '../../platform/http/session.ts'
import { post, readBalances, runOnce, type Transaction } from '../ledger/index.ts'
import { readPayouts } from '../payout/index.ts'
import { burnedFee, type Plan, type Plans, quotaAt } from '../plan/index.ts'
import { orderOnce, type PasswordHashing, type PasswordRefusal, SessionEndedError } from '../protection/index.ts'
import { type ConfirmedTerms, findObjection, type Objection, type TransferLimits } from './objections.ts'
import { freezePosting, unfreezePosting } from './postings.ts'

type CommandContext = {
  readonly db: Database
  readonly hashing: PasswordHashing
  readonly plans: Plans
  readonly session: Session
}

type TransferInput = ConfirmedTerms & { readonly key: string; readonly asset: Asset; readonly password: string }

type OrderRefusal = Objection | PasswordRefusal | 'key-conflict' | 'session-expired'

/** Requests a transfer and returns its id. The same idempotency key requests it only once. */
export const orderTransfer = (context: CommandContext, input: TransferInput): Promise<Result<string, OrderRefusal>> =>
  orderOnce<Objection, Objection>(context, {
    command: {
      member: context.session.memberId,
      key: input.key,
      name: 'transfer/order',
      terms: JSON.stringify([input.planVersion, input.address, input.asset, String(input.amount)]),
    },
    password: input.password,
    objection: async (db) => findObjection(input, await readLimits(db, context, input.asset)),
    make: (trx) => requestTransfer(trx, context, input),
  })

async function requestTransfer(
  trx: Database,
  context: CommandContext,
  input: TransferInput,
): Promise<Result<string, Objection>> {
  const { session } = context
  const { asset, amount } = input
  const member = session.memberId
  await sql`select pg_advisory_xact_lock(hashtextextended(${`transfer ${member}`}, 0))`.execute(trx)
  const limits = await readLimits(trx, context, asset)
  const objection = findObjection(input, limits)
  if (objection) return refused(objection)
  const plan = limits.inForce
  if (!plan) return refused('plan-none')

  const id = randomUUID()
  const { fee } = plan.transfer[asset]
  const { rows } = await sql<{ verdict: 'ok' | 'quota-insufficient' | 'session-expired' }>`
    select lode.request_transfer(${member}, ${session.id}, ${id}, ${asset}, ${amount}, ${fee}, ${burnedFee(plan, asset)},
                                 ${plan.version}, ${limits.quotaTotal}) as verdict`.execute(trx)
  const verdict = rows[0]?.verdict
  if (verdict === 'session-expired') throw new SessionEndedError()
  if (verdict !== 'ok') return refused('quota-insufficient')
  const posted = await postTransaction(trx, freezePosting({ id, memberId: member, asset, amount, fee }))
  if (!posted) return refused('balance-insufficient')
  faultPoint('api:before-commit')
  return ok(id)
}

async function readLimits(
  db: Database,
  { plans, session }: CommandContext,
  asset: Asset,
): Promise<TransferLimits & { readonly inForce: Plan | null; readonly quotaTotal: bigint }> {
  const plan = await plans.inForce(db)
  const { available } = (await readBalances(db, session.memberId))[asset]
  const { rows } = await sql<{ address: Buffer; level: number; used: string }>`
    select bound.address, member.level, lode.quota_used(member.id, ${asset}) as used
    from lode.member cross join lateral lode.bound_output_address(member.id, lode.now()) as bound
    where member.id = ${session.memberId}`.execute(db)
  const [row] = rows
  if (!row) throw new Error('the session has no member')
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
  { db, session }: Pick<CommandContext, 'db' | 'session'>,
  { key, id }: { readonly key: string; readonly id: string },
): Promise<Result<string, 'order-unknown' | 'order-completed' | 'key-conflict'>> {
  const command = { member: session.memberId, key, name: 'transfer/cancel', terms: id }
  return runOnce<string, 'order-unknown' | 'order-completed'>(db, command, async (trx) => {
    const { rows } = await sql<{ verdict: 'ok' | 'order-unknown' | 'order-completed' }>`
      select lode.cancel_transfer(${session.memberId}, ${id}) as verdict`.execute(trx)
    const verdict = rows[0]?.verdict ?? 'order-unknown'
    if (verdict !== 'ok') return refused(verdict)
    const [row] = await readPayouts(trx, sql`where id = ${id}`)
    if (!row) throw new Error('a transfer was canceled, but cannot be read')
    if (!(await postTransaction(trx, unfreezePosting({ ...row, memberId: session.memberId }))))
      throw new Error(`transfer ${id} is not what is frozen`)
    faultPoint('api:before-commit')
    return ok(id)
  })
}

/** Returns false if the balance is too low. Throws at any other failure: then the key was used before. */
async function postTransaction(trx: Database, transaction: Transaction): Promise<boolean> {
  const [posted] = await post(trx, [transaction])
  if (posted?.outcome === 'insufficient') return false
  if (posted?.outcome !== 'posted') throw new Error(`${transaction.key} was ${posted?.outcome ?? 'not answered'}`)
  return true
}
