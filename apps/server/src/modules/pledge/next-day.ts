import { addDays, type DayNumber, dayNumber, startOfDay } from '@lode/kernel'
import { sql } from 'kysely'
import type { Database } from '../../platform/db/database.ts'
import { daySubject, type Operators, SIGNATURES_NEEDED } from '../operators/index.ts'
import type { Plans } from '../plan/index.ts'
import { type CloseState, closesAt, determineCloseState } from './rules.ts'

export type CloseDependencies = {
  readonly plans: Plans
  readonly operators: Operators
  /** Set by the worker if it looks for the Bitcoin outputs: then a funding that it has not looked at yet is waited for. */
  readonly looksForEvidence?: boolean
}

export type NextDay = {
  readonly day: DayNumber
  readonly closesAt: Date
  /** The plan version that sets this day's funding limit and closing hour. */
  readonly planVersion: number
  /** In smallest units of BTC: the funding, the plan's daily limit, and what operators approved. */
  readonly funding: bigint
  readonly planMost: bigint
  readonly approval: Approval | null
  readonly closeState: CloseState
}

/** `signers`: the public keys of those who have signed. */
type Approval = { readonly decision: bigint; readonly amount: bigint; readonly signers: readonly string[] }

/** The day to close next and what it waits for. Null before the first plan is published. */
export async function readNextDay(db: Database, dependencies: CloseDependencies): Promise<NextDay | null> {
  const { plans, operators, looksForEvidence = false } = dependencies
  const { rows } = await sql<{
    now: Date
    posted: Date | null
    day: number | null
    funding: string
    lacks_evidence: boolean
  }>`
    with next (day) as (
      select coalesce((select max(day) + 1 from lode.production_day), (select lode.day_of(min(starts_at)) from lode.plan))
    )
    select lode.now() as now, next.day,
           (select posted_time from lode.chain_state
            where posted_hash is not null and posted_number >= booked_number and stopped_reason is null
              and not exists (select from lode.asset_stop where asset = 'BTC')) as posted,
           (select coalesce(sum(amount), 0) from lode.unused_funding where unused_funding.day <= next.day) as funding,
           exists (
             select from lode.unused_funding left join lode.evidence_check using (tx, log_index)
             where unused_funding.day <= next.day
               and coalesce(evidence_check.result <> 'found', ${looksForEvidence})) as lacks_evidence
    from next`.execute(db)
  const [row] = rows
  if (!row || row.day === null) return null
  const day = dayNumber(row.day)
  const plan = await loadPlanAt(db, plans, startOfDay(addDays(day, 1)))
  const funding = BigInt(row.funding)
  const at = closesAt(day, plan.closeHour)
  const approval = funding > plan.dayFundingMax ? await loadApproval(db, operators, day) : null
  const closeState = determineCloseState({
    now: row.now,
    postedAt: row.posted,
    closesAt: at,
    funding,
    planMost: plan.dayFundingMax,
    approved: approval?.amount ?? null,
    lacksEvidence: row.lacks_evidence,
  })
  return {
    day,
    closesAt: at,
    planVersion: plan.version,
    funding,
    planMost: plan.dayFundingMax,
    approval,
    closeState: closeState,
  }
}

async function loadPlanAt(db: Database, plans: Plans, moment: Date) {
  const { rows } = await sql<{ version: number | null }>`select lode.plan_in_force(${moment}) as version`.execute(db)
  const version = rows[0]?.version ?? null
  const plan = version === null ? undefined : await plans.byVersion(db, version)
  if (!plan) throw new Error(`no plan was in force at ${moment.toISOString()}`)
  return plan
}

/** The largest amount that two operators have signed. */
async function loadApproval(db: Database, operators: Operators, day: DayNumber): Promise<Approval | null> {
  const subject = daySubject(day)
  const decisions = (await operators.readVerified(db, [subject])).get(subject) ?? []
  let largest: Approval | null = null
  for (const { id, body, signers: signedBy } of decisions) {
    if (body.verb !== 'approve-day' || signedBy.length < SIGNATURES_NEEDED) continue
    const amount = BigInt(body.amount)
    if (largest === null || amount > largest.amount) largest = { decision: id, amount, signers: signedBy }
  }
  return largest
}
