import { sql } from 'kysely'
import { type Address, isAddressEqual } from 'viem'
import { addressFromColumn } from '../../platform/chain/column.ts'
import type { Database } from '../../platform/db/database.ts'
import { codeOf } from '../ledger/index.ts'
import { onlyHoldingBack, PAYOUTS } from '../operators/index.ts'
import type { PayoutRow, Verdict } from '../payout/index.ts'
import { burnedOf, type Plan, quotaAt } from '../plan/index.ts'
import { WAIT_HOURS } from '../protection/index.ts'
import { type Judging, readKnown, subjectOf } from './known.ts'
import { lookAgainAt, standingOf } from './rules.ts'

/** `pinned`: the operators are known by a ceremony that the signer has pinned. Only then do their approvals count. */
type SignersJudging = Judging & { readonly pinned: boolean }

/**
 * Whether the signer may sign these transfers, by id. It trusts no row: it checks everything against the tables from
 * which the row was made, inside the signing transaction, whose lock keeps the rows unchanged.
 */
export async function judgeTransfers(
  inside: Database,
  payouts: readonly PayoutRow[],
  { plans, operators, pinned }: SignersJudging,
): Promise<Map<string, Verdict>> {
  if (payouts.length === 0) return new Map()
  const judging = { plans, operators: pinned ? operators : onlyHoldingBack(operators) }
  const found = await readEvidence(inside, payouts)
  const known = await readKnown(inside, payouts, judging)
  const doubts = await operators.doubts(inside, [PAYOUTS, ...payouts.map(({ id }) => subjectOf(id))])
  return new Map(
    payouts.map((row): [string, Verdict] => {
      const evidence = found.get(row.id)
      const knownRow = known.get(row.id)
      if (!evidence || !knownRow) return [row.id, { kind: 'check', what: 'it is no transfer of a member' }]
      const what = doubts.get(PAYOUTS) ?? doubts.get(subjectOf(row.id)) ?? faultIn(row, evidence, knownRow.plan)
      if (what !== null) return [row.id, { kind: 'check', what }]
      const { now, pausedUntil } = knownRow
      // The stored result of an earlier check is ignored, because the check is made again here.
      const standing = standingOf({ ...knownRow, row: { ...row, heldCheck: null } })
      const queue = pausedUntil && { until: pausedUntil }
      if (standing.state === 'approved' && !queue) return [row.id, { kind: 'go' }]
      return [row.id, { kind: 'wait', lookAt: lookAgainAt(now, { holds: standing.holds, queue }) }]
    }),
  )
}

type Evidence = {
  readonly account: Address
  /** The lower of the row's level and the member's level. */
  readonly level: number
  /** The output address bound at the time of the request, since when it was bound, and when the member asked for it. */
  readonly bound: Address
  readonly boundAt: Date | null
  readonly askedAt: Date | null
  readonly frozenOut: bigint
  /** All open transfers of this member and asset, with their fees. */
  readonly open: bigint
  /** The member's log has a line with exactly this amount and fee, and the line is not closed. */
  readonly reserved: boolean
  /** The sum of the 24 hours up to the request, with this transfer and without those that will not be paid. */
  readonly asked24h: bigint
  /**
   * The plan versions under which it can have been requested. While a version is being published, a request may still
   * see the one before it.
   */
  readonly oldestPlan: number
  readonly newestPlan: number
}

const ADDRESS_WAIT_MS = WAIT_HOURS.outputAddress * 3_600_000

/** Returns the fault in words for the operators, or null. */
function faultIn(row: PayoutRow, evidence: Evidence, plan: Plan | null): string | null {
  if (!plan) return `plan version ${row.planVersion} is not known here`
  if (plan.version < evidence.oldestPlan || plan.version > evidence.newestPlan)
    return `plan version ${plan.version} was not in force when it was asked for`
  const terms = plan.transfer[row.asset]
  if (row.amount < terms.min || row.amount > terms.max) return 'the amount is outside of what its plan allows'
  if (row.fee !== terms.fee || row.feeBurned !== burnedOf(plan, row.asset)) return 'the fee is not that of its plan'

  if (!evidence.reserved) return 'the books have no open line of it'
  if (evidence.frozenOut < evidence.open) return `open are ${evidence.open}, frozen only ${evidence.frozenOut}`

  if (!isAddressEqual(row.address, evidence.bound)) return 'the address was not bound when it was asked for'
  if (!isAddressEqual(row.address, evidence.account)) {
    const { askedAt, boundAt } = evidence
    if (!askedAt || row.requestedAt.getTime() - askedAt.getTime() < ADDRESS_WAIT_MS)
      return `the address had not been asked for ${WAIT_HOURS.outputAddress} hours before`
    if (row.addressBoundAt?.getTime() !== boundAt?.getTime()) return 'the address became bound at another time'
  }

  const quota = quotaAt(plan, evidence.level)[row.asset]
  if (evidence.asked24h > quota) return `${evidence.asked24h} within 24 hours is more than the quota of ${quota}`
  return null
}

type EvidenceRow = {
  id: string
  account: Buffer
  level: number
  bound: Buffer
  bound_at: Date | null
  asked_at: Date | null
  frozen_out: string
  open: string
  reserved: boolean
  asked_24h: string
  oldest_plan: number
  newest_plan: number
}

/** One statement, because open and frozen amounts change together and are compared. */
async function readEvidence(db: Database, payouts: readonly PayoutRow[]): Promise<Map<string, Evidence>> {
  const { rows } = await sql<EvidenceRow>`
    select payout.id, member.account, least(member.level, payout.level) as level,
           bound.address as bound, bound.bound_at, bound.asked_at,
           (select coalesce(sum(account.balance), 0) from lode.ledger_account as account
            where account.id = (payout.member_id << 14) | (${codeOf('kind.frozenOut')}::int << 8) | (asset.code << 6)
           ) as frozen_out,
           (select coalesce(sum(others.amount + others.fee), 0) from lode.payout as others
            where others.member_id = payout.member_id and others.asset = payout.asset and others.ended is null) as open,
           exists (
             select from lode.log_line as line
             where line.member = payout.member_id and line.asset = asset.code and line.operation = payout.id::text
               and line.type = ${codeOf('log.transferOut')}
               and line.amount = -payout.amount and line.fee = payout.fee
               and not exists (select from lode.log_closing as closing
                               where closing.member = line.member and closing.asset = line.asset and closing.line = line.id)
           ) as reserved,
           (select coalesce(sum(used.amount), 0) from lode.quota_use as used
            where used.member_id = payout.member_id and used.asset = payout.asset and used.given_back_at is null
              and used.at > payout.requested_at - interval '24 hours' and used.at <= payout.requested_at) as asked_24h,
           coalesce(lode.plan_in_force(payout.requested_at - interval '10 minutes'), 1) as oldest_plan,
           coalesce(lode.plan_in_force(payout.requested_at), 0) as newest_plan
    from lode.payout
    join lode.member on member.id = payout.member_id
    join lode.ledger_asset as asset on asset.name = payout.asset
    cross join lateral lode.bound_output_address(member.id, payout.requested_at) as bound
    where payout.id = any(${payouts.map(({ id }) => id)}::uuid[])`.execute(db)
  return new Map(
    rows.map((row) => [
      row.id,
      {
        account: addressFromColumn(row.account),
        level: row.level,
        bound: addressFromColumn(row.bound),
        boundAt: row.bound_at,
        askedAt: row.asked_at,
        frozenOut: BigInt(row.frozen_out),
        open: BigInt(row.open),
        reserved: row.reserved,
        asked24h: BigInt(row.asked_24h),
        oldestPlan: row.oldest_plan,
        newestPlan: row.newest_plan,
      },
    ]),
  )
}
