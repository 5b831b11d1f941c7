import { sql } from 'kysely'
import { type Address, isAddressEqual } from 'viem'
import { addressFromColumn } from '../../platform/chain/hex-column.ts'
import type { Database } from '../../platform/db/database.ts'
import { codeOf } from '../ledger/index.ts'
import { keepOnlyRestrictive, PAYOUTS_SUBJECT } from '../operators/index.ts'
import type { PayoutRow, Verdict } from '../payout/index.ts'
import { burnedFee, type Plan, quotaAt } from '../plan/index.ts'
import { WAIT_HOURS } from '../protection/index.ts'
import { loadTransfers, type PlansAndOperators, transferSubject } from './load-transfers.ts'
import { deriveTransferProgress, nextLookAt } from './rules.ts'

/** `pinned`: the signer pins a link of the operator chain. Only then do approvals and resumes count. */
type SignerContext = PlansAndOperators & { readonly pinned: boolean }

/**
 * Decides whether the signer may sign these transfers. Returns a verdict for each id. It does not trust the payout
 * row: it checks plan version, amount, fee, address, level and quota against other tables. The time of the request, and
 * the time at which the browser was first seen, are taken from the row. It runs in the signing transaction, which has
 * locked the payout rows.
 */
export async function judgeTransfers(
  trx: Database,
  payouts: readonly PayoutRow[],
  { plans, operators, pinned }: SignerContext,
): Promise<Map<string, Verdict>> {
  if (payouts.length === 0) return new Map()
  const context = { plans, operators: pinned ? operators : keepOnlyRestrictive(operators) }
  const evidenceById = await readEvidence(trx, payouts)
  const transfers = await loadTransfers(trx, payouts, context)
  const doubts = await operators.findDoubts(trx, [PAYOUTS_SUBJECT, ...payouts.map(({ id }) => transferSubject(id))])
  return new Map(
    payouts.map((row): [string, Verdict] => {
      const evidence = evidenceById.get(row.id)
      const transfer = transfers.get(row.id)
      if (!evidence || !transfer) return [row.id, { kind: 'check', problem: 'there is no such transfer of a member' }]
      const problem =
        doubts.get(PAYOUTS_SUBJECT) ?? doubts.get(transferSubject(row.id)) ?? findFault(row, evidence, transfer.plan)
      if (problem !== null) return [row.id, { kind: 'check', problem }]
      const { now, pausedUntil } = transfer
      // Ignore the stored result of an earlier check: the same check has just run again.
      const progress = deriveTransferProgress({ ...transfer, row: { ...row, heldCheck: null } })
      if (progress.state === 'approved' && !pausedUntil) return [row.id, { kind: 'go' }]
      return [row.id, { kind: 'wait', lookAt: nextLookAt(now, { holds: progress.holds, pausedUntil }) }]
    }),
  )
}

type Evidence = {
  readonly account: Address
  /** The lower of the row's level and the member's level. */
  readonly level: number
  /** The output address that was bound at the time of the transfer's request. */
  readonly boundAddress: Address
  /** Since when this address was bound. */
  readonly addressBoundAt: Date | null
  /** When the member requested the change to this address. */
  readonly addressRequestedAt: Date | null
  readonly frozenOut: bigint
  /** The sum of all open transfers of this member and asset, with their fees. */
  readonly openAmount: bigint
  /** Whether the member's log has an open line of this transfer, with exactly its amount and fee. */
  readonly hasOpenLogLine: boolean
  /** The quota used in the 24 hours up to the request: with this transfer, without those that will not be paid. */
  readonly requested24h: bigint
  /**
   * The oldest and the newest plan version that the request can have seen. While a version is being published, a
   * request may still see the version before.
   */
  readonly oldestPlan: number
  readonly newestPlan: number
}

const MIN_ADDRESS_AGE_MS = WAIT_HOURS.outputAddress * 3_600_000

/** Returns what is wrong with the transfer, as text for the operators, or null. */
function findFault(row: PayoutRow, evidence: Evidence, plan: Plan | null): string | null {
  if (!plan) return `plan version ${row.planVersion} is not known to the signer`
  if (plan.version < evidence.oldestPlan || plan.version > evidence.newestPlan)
    return `plan version ${plan.version} was not in force when the transfer was requested`
  const terms = plan.transfer[row.asset]
  if (row.amount < terms.min || row.amount > terms.max) return 'the amount is outside of what its plan allows'
  if (row.fee !== terms.fee || row.feeBurned !== burnedFee(plan, row.asset)) return 'the fee is not that of its plan'

  if (!evidence.hasOpenLogLine) return 'the ledger has no open log line of this transfer'
  if (evidence.frozenOut < evidence.openAmount)
    return `open transfers sum to ${evidence.openAmount}, frozen only ${evidence.frozenOut}`

  if (!isAddressEqual(row.address, evidence.boundAddress))
    return 'the address was not bound when the transfer was requested'
  if (!isAddressEqual(row.address, evidence.account)) {
    const { addressRequestedAt, addressBoundAt } = evidence
    if (!addressRequestedAt || row.requestedAt.getTime() - addressRequestedAt.getTime() < MIN_ADDRESS_AGE_MS)
      return `the address was requested less than ${WAIT_HOURS.outputAddress} hours before the transfer`
    if (row.addressBoundAt?.getTime() !== addressBoundAt?.getTime()) return 'the address was bound at another time'
  }

  const quota = quotaAt(plan, evidence.level)[row.asset]
  if (evidence.requested24h > quota)
    return `${evidence.requested24h} within 24 hours is more than the quota of ${quota}`
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

/** One statement, so that it reads open and frozen amounts, which are compared, at the same moment. */
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
        boundAddress: addressFromColumn(row.bound),
        addressBoundAt: row.bound_at,
        addressRequestedAt: row.asked_at,
        frozenOut: BigInt(row.frozen_out),
        openAmount: BigInt(row.open),
        hasOpenLogLine: row.reserved,
        requested24h: BigInt(row.asked_24h),
        oldestPlan: row.oldest_plan,
        newestPlan: row.newest_plan,
      },
    ]),
  )
}
