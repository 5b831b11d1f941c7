import { ok, type Result, refused } from '@lode/kernel'
import { sql } from 'kysely'
import type { PoolContracts } from '../../platform/config/pool-contracts.ts'
import type { Database } from '../../platform/db/database.ts'
import { transaction } from '../../platform/db/transaction.ts'
import { faultPoint } from '../../platform/faults/fault-point.ts'
import { isPoolsOwn, lockAddresses } from '../custody/index.ts'
import { post } from '../ledger/index.ts'
import { type Operators, PAYOUTS, type VerifiedDecision } from '../operators/index.ts'
import { carryOutAppointment, isAppointment } from '../partner/index.ts'
import { type PayoutRow, readPayouts } from '../payout/index.ts'
import type { Plans } from '../plan/index.ts'
import { rejectTransfer } from '../transfer/index.ts'
import { isDecided, isPayment, listingSubject, objection, type Payment, reservation, undoing } from './rules.ts'

type Options = {
  readonly operators: Operators
  readonly contracts: PoolContracts
  readonly plans: Plans
}

type Applied = { readonly done: number; readonly refused: number; readonly expired: number }

/**
 * Carries out the operators' decisions that are still open, once each. If one cannot be carried out, the reason is
 * stored and it is not tried again. If a payment was not signed before its decision expired, its
 * money goes back to its account.
 */
export async function applyDecisions(db: Database, options: Options): Promise<Applied> {
  const counts = { done: 0, refused: 0, expired: 0 }
  const failures: unknown[] = []
  /** A failure of one does not stop the others. */
  const each = async <T>(items: readonly T[], one: (item: T) => Promise<void>): Promise<void> => {
    for (const item of items) await one(item).catch((error: unknown) => failures.push(error))
  }
  await each(await openDecisions(db, options), async (decision) => {
    const outcome = await applyOne(db, decision, options)
    faultPoint('worker:after-apply-decision')
    if (outcome === null) return
    if (outcome.ok) counts.done += 1
    else if (await noteOutcome(db, decision.id, outcome.error)) counts.refused += 1
  })
  await each(await expiredPayments(db), async (payout) => {
    if (await endExpired(db, payout)) counts.expired += 1
  })
  if (failures.length > 0) throw new AggregateError(failures, `${failures.length} decisions could not be carried out`)
  // The decisions that could be verified are carried out. If others cannot be verified, the job fails, so that an
  // operator notices.
  const doubt = (await options.operators.doubts(db, [PAYOUTS])).get(PAYOUTS)
  if (doubt !== undefined) throw new Error(doubt)
  return counts
}

const carriedOut = ['pay', 'return', 'reject', 'authorise-expert', 'approve-partner', 'reject-partner'] as const

async function openDecisions(db: Database, { operators }: Options): Promise<VerifiedDecision[]> {
  const { rows } = await sql<{ id: bigint; subject: string }>`
    select id, subject from lode.decision
    where verb = any(${carriedOut}) and expires_at > lode.now()
      and not exists (select from lode.decision_outcome where decision_id = decision.id)
    order by id`.execute(db)
  const subjects = new Set(rows.map(({ subject }) => subject))
  const verified = await operators.verified(db, Array.from(subjects))
  return rows.flatMap(({ id, subject }) => verified.get(subject)?.filter((decision) => decision.id === id) ?? [])
}

/** Null if it is not decided yet. */
function applyOne(db: Database, decision: VerifiedDecision, options: Options): Promise<Result<null, string> | null> {
  const { body } = decision
  if (isPayment(body)) return isDecided(decision) ? pay(db, decision, body, options) : Promise.resolve(null)
  if (isAppointment(decision)) return noting(db, decision, (inside) => carryOutAppointment(inside, decision))
  if (body.verb !== 'reject') return Promise.resolve(refused('nothing can be done with it'))
  return noting(db, decision, (inside) => rejectTransfer(inside, decision, options))
}

/**
 * In one transaction: creates the payout for the signer, sets its money aside, and records the outcome of the decision.
 */
function pay(
  db: Database,
  { id, signedAt }: VerifiedDecision,
  body: Payment,
  { operators, contracts }: Options,
): Promise<Result<null, string>> {
  return transaction(db, async (inside) => {
    // A registration with this address waits here, and then finds the suspense either returned or still there.
    await lockAddresses(inside, [body.address])
    const subject = listingSubject(body.address)
    const listings = body.verb === 'pay' ? await operators.verified(inside, [subject]) : null
    const wrong = objection(body, signedAt, listings?.get(subject) ?? [])
    if (wrong) return refused(wrong)
    if (await isPoolsOwn(inside, contracts, body.address, body.verb === 'pay' ? ['cold', 'funder'] : ['cold']))
      return refused(`${body.address} is the pool’s own`)
    const made = await makePayment(inside, id)
    if (made === 'done') return ok(null)
    if (made !== 'ok') return refused(reasons[made])
    const [outcome] = await post(inside, [reservation(body)])
    switch (outcome?.outcome) {
      case 'posted':
        faultPoint('worker:before-apply-decision')
        return ok(null)
      case 'insufficient':
        return refused(`there is less than that in ${body.verb === 'pay' ? body.from : 'suspense for this address'}`)
      default:
        throw new Error(`payment ${body.nonce} is ${outcome?.outcome} in the books, and was never made`)
    }
  })
}

const reasons = {
  expired: 'it expired before it was carried out',
  unlisted: 'its address was not listed 48 hours before',
} as const

async function makePayment(inside: Database, decision: bigint): Promise<'ok' | 'done' | keyof typeof reasons> {
  const { rows } = await sql<{ answer: 'ok' | 'done' | keyof typeof reasons }>`
    select lode.make_payment(${decision}) as answer`.execute(inside)
  const [row] = rows
  if (!row) throw new Error('the database did not answer')
  return row.answer
}

/** Carries out a decision and records its outcome, in one transaction. */
async function noting(
  db: Database,
  decision: VerifiedDecision,
  carryOut: (inside: Database) => Promise<Result<null, string> | null>,
) {
  let undecided = false
  const result = await transaction(db, async (inside) => {
    const done = await carryOut(inside)
    undecided = done === null
    if (done?.ok) await noteOutcome(inside, decision.id, null)
    faultPoint('worker:before-apply-decision')
    return done ?? ok(null)
  })
  return undecided ? null : result
}

/** False if an outcome was recorded before. */
async function noteOutcome(db: Database, decision: bigint, reason: string | null): Promise<boolean> {
  const { rows } = await sql<{ noted: boolean }>`
    select lode.note_decision_outcome(${decision}, ${reason}) as noted`.execute(db)
  return rows[0]?.noted ?? false
}

const expiredPayments = (db: Database): Promise<PayoutRow[]> =>
  readPayouts(
    db,
    sql`where kind in ('treasury', 'suspense') and ended is null and release_number is null
        and (select expires_at from lode.decision where id = payout.decision_id) <= lode.now() limit 1000`,
  )

const endExpired = (db: Database, payout: PayoutRow): Promise<boolean> =>
  db.transaction().execute(async (inside) => {
    const { rows } = await sql<{ ended: boolean }>`
      select lode.end_expired_payment(${payout.id}) as ended`.execute(inside)
    if (!rows[0]?.ended) return false
    const [outcome] = await post(inside, [undoing(payout)])
    if (outcome?.outcome !== 'posted') throw new Error(`the undoing of ${payout.id} is ${outcome?.outcome}`)
    return true
  })
