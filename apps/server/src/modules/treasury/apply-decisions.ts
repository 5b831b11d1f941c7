import { ok, type Result, refused } from '@lode/kernel'
import { sql } from 'kysely'
import { decimalsOf, type PoolContracts } from '../../platform/config/pool-contracts.ts'
import type { Database } from '../../platform/db/database.ts'
import { runTransaction } from '../../platform/db/transaction.ts'
import { faultPoint } from '../../platform/faults/fault-point.ts'
import { carryOutCorrection, isCorrection, postDueReversals } from '../correction/index.ts'
import { isPoolContractOrHadRole, lockAddresses } from '../custody/index.ts'
import { post, readSystemBalances } from '../ledger/index.ts'
import { type Operators, PAYOUTS_SUBJECT, type VerifiedDecision } from '../operators/index.ts'
import { carryOutAppointment, isAppointment } from '../partner/index.ts'
import { type PayoutRow, readPayouts } from '../payout/index.ts'
import { carryOutPublication, type Plans } from '../plan/index.ts'
import { rejectTransfer } from '../transfer/index.ts'
import { carryOutByFunction, findDecisionFunction, functionVerbs } from './carry-out-by-function.ts'
import {
  buildPaymentTransaction,
  buildReversalTransaction,
  findObjection,
  isDecided,
  isPayment,
  listingSubject,
  type Payment,
  termsOfPayment,
} from './rules.ts'

type ApplyOptions = {
  readonly operators: Operators
  readonly contracts: PoolContracts
  readonly plans: Plans
}

type ApplyCounts = { readonly done: number; readonly refused: number; readonly expired: number }

/**
 * Carries out each open decision of the operators once. If a decision cannot be carried out, the reason is stored, and
 * the decision is not tried again. If the signer has not signed a payment before its decision expires, the money goes
 * back to its account.
 */
export async function applyDecisions(db: Database, options: ApplyOptions): Promise<ApplyCounts> {
  const counts = { done: 0, refused: 0, expired: 0 }
  const failures: unknown[] = []
  /** Runs `one` for each item. A failure of one item does not stop the others. */
  const runEach = async <T>(items: readonly T[], one: (item: T) => Promise<void>): Promise<void> => {
    for (const item of items) await one(item).catch((error: unknown) => failures.push(error))
  }
  await runEach(await readOpenDecisions(db, options), async (decision) => {
    const outcome = await applyOne(db, decision, options)
    faultPoint('worker:after-apply-decision')
    if (outcome === null) return
    if (outcome.ok) counts.done += 1
    else if (await recordOutcome(db, decision.id, outcome.error)) counts.refused += 1
  })
  await runEach(await readExpiredPayments(db), async (payout) => {
    if (await endExpiredPayment(db, payout)) counts.expired += 1
  })
  await postDueReversals(db).catch((error: unknown) => failures.push(error))
  if (failures.length > 0)
    throw new AggregateError(failures, `${failures.length} decisions, expired payments or reversals failed`)
  // The verified decisions are carried out by now. If others cannot be verified, the job fails, so that an operator
  // notices it.
  const doubt = (await options.operators.findDoubts(db, [PAYOUTS_SUBJECT])).get(PAYOUTS_SUBJECT)
  if (doubt !== undefined) throw new Error(doubt)
  return counts
}

const carriedOutVerbs = [
  'pay',
  'return',
  'reject',
  'authorise-expert',
  'approve-partner',
  'reject-partner',
  'write-off',
  'fund-loss',
  'reverse',
  'publish',
  ...functionVerbs,
] as const

async function readOpenDecisions(db: Database, { operators }: ApplyOptions): Promise<VerifiedDecision[]> {
  const { rows } = await sql<{ id: bigint; subject: string }>`
    select id, subject from lode.decision
    where verb = any(${carriedOutVerbs}) and expires_at > lode.now()
      and not exists (select from lode.decision_outcome where decision_id = decision.id)
    order by id`.execute(db)
  const subjects = new Set(rows.map(({ subject }) => subject))
  const verified = await operators.readVerified(db, Array.from(subjects))
  return rows.flatMap(({ id, subject }) => verified.get(subject)?.filter((decision) => decision.id === id) ?? [])
}

/** Null if the decision needs another signature. */
function applyOne(
  db: Database,
  decision: VerifiedDecision,
  options: ApplyOptions,
): Promise<Result<null, string> | null> {
  const { body } = decision
  if (isPayment(body)) return isDecided(decision) ? carryOutPayment(db, decision, body, options) : Promise.resolve(null)
  if (isCorrection(decision)) return isDecided(decision) ? carryOutCorrection(db, decision) : Promise.resolve(null)
  if (isAppointment(decision)) return carryOutAndRecord(db, decision, (trx) => carryOutAppointment(trx, decision))
  if (body.verb === 'publish') {
    const context = { operators: options.operators, decimals: decimalsOf(options.contracts) }
    return carryOutAndRecord(db, decision, (trx) => carryOutPublication(trx, decision, context))
  }
  const byFunction = findDecisionFunction(decision)
  if (byFunction) return carryOutAndRecord(db, decision, (trx) => carryOutByFunction(trx, decision, byFunction))
  if (body.verb !== 'reject') return Promise.resolve(refused('no part of the worker carries out this decision'))
  return carryOutAndRecord(db, decision, (trx) => rejectTransfer(trx, decision, options))
}

/**
 * In one transaction: creates the payout for the signer, moves its money to the account for payments under way, and
 * records the outcome of the decision.
 */
function carryOutPayment(
  db: Database,
  { id, signedAt }: VerifiedDecision,
  body: Payment,
  { operators, contracts }: ApplyOptions,
): Promise<Result<null, string>> {
  return runTransaction(db, async (trx) => {
    // A registration with this address waits for this lock. So it finds the suspense either returned or untouched.
    await lockAddresses(trx, [body.address])
    const subject = listingSubject(body.address)
    const listings = body.verb === 'pay' ? await operators.readVerified(trx, [subject]) : null
    const reason = findObjection(body, signedAt, listings?.get(subject) ?? [])
    if (reason) return refused(reason)
    if (
      await isPoolContractOrHadRole(trx, contracts, body.address, body.verb === 'pay' ? ['cold', 'funder'] : ['cold'])
    )
      return refused(`${body.address} belongs to the pool`)
    if (body.verb === 'pay' && (await readSystemBalances(trx))('pool:loss', body.symbol) < 0n)
      return refused(`${body.symbol} is missing: nothing of it is paid from the pool's accounts until it is replaced`)
    const made = await makePayment(trx, id)
    if (made === 'done') return ok(null)
    if (made !== 'ok') return refused(refusalTexts[made])
    const [outcome] = await post(trx, [buildPaymentTransaction(termsOfPayment(body))])
    switch (outcome?.outcome) {
      case 'posted':
        faultPoint('worker:before-apply-decision')
        return ok(null)
      case 'insufficient':
        return refused(`less than this amount is in ${body.verb === 'pay' ? body.from : 'suspense for this address'}`)
      default:
        throw new Error(`the ledger did not post payment ${body.nonce}, which has no payout yet: ${outcome?.outcome}`)
    }
  })
}

const refusalTexts = {
  expired: 'it expired before it was carried out',
  unlisted: 'its address was not listed 48 hours before the second signature',
} as const

async function makePayment(trx: Database, decision: bigint): Promise<'ok' | 'done' | keyof typeof refusalTexts> {
  const { rows } = await sql<{ answer: 'ok' | 'done' | keyof typeof refusalTexts }>`
    select lode.make_payment(${decision}) as answer`.execute(trx)
  const [row] = rows
  if (!row) throw new Error('lode.make_payment returned no row')
  return row.answer
}

/** Carries out a decision and records its outcome, in one transaction. */
async function carryOutAndRecord(
  db: Database,
  decision: VerifiedDecision,
  carryOut: (trx: Database) => Promise<Result<null, string> | null>,
) {
  let undecided = false
  const result = await runTransaction(db, async (trx) => {
    const outcome = await carryOut(trx)
    undecided = outcome === null
    if (outcome?.ok) await recordOutcome(trx, decision.id, null)
    faultPoint('worker:before-apply-decision')
    return outcome ?? ok(null)
  })
  return undecided ? null : result
}

/** Returns false if the decision already has an outcome. */
async function recordOutcome(db: Database, decision: bigint, reason: string | null): Promise<boolean> {
  const { rows } = await sql<{ noted: boolean }>`
    select lode.note_decision_outcome(${decision}, ${reason}) as noted`.execute(db)
  return rows[0]?.noted ?? false
}

const readExpiredPayments = (db: Database): Promise<PayoutRow[]> =>
  readPayouts(
    db,
    sql`where kind in ('treasury', 'suspense') and ended is null and release_number is null
        and (select expires_at from lode.decision where id = payout.decision_id) <= lode.now() limit 1000`,
  )

const endExpiredPayment = (db: Database, payout: PayoutRow): Promise<boolean> =>
  db.transaction().execute(async (trx) => {
    // A registration with this address waits for this lock, so it finds the suspense if this puts it back.
    await lockAddresses(trx, [payout.address])
    const { rows } = await sql<{ ended: boolean }>`
      select lode.end_expired_payment(${payout.id}) as ended`.execute(trx)
    if (!rows[0]?.ended) return false
    const [outcome] = await post(trx, [buildReversalTransaction(payout)])
    if (outcome?.outcome !== 'posted')
      throw new Error(`the ledger could not reverse payment ${payout.id}: ${outcome?.outcome}`)
    return true
  })
