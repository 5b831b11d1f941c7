import type { Asset } from '@lode/kernel'
import { type RawBuilder, sql } from 'kysely'
import { type Address, type Hex, toHex } from 'viem'
import { addressFromColumn } from '../../platform/chain/hex-column.ts'
import type { Database } from '../../platform/db/database.ts'

/** One row of `lode.payout`. No column holds the state of the payout: it is computed from these values. */
export type PayoutRow = {
  readonly id: string
  /** Grows in the order of the requests. */
  readonly number: bigint
  readonly kind: 'transfer' | 'treasury' | 'suspense'
  readonly asset: Asset
  /** The amount that arrives, without the fee, in smallest units. */
  readonly amount: bigint
  readonly address: Address
  readonly requestedAt: Date
  /** From here to `deviceSeenAt`: only for a member's transfer, otherwise null. The two fees are 0 otherwise. */
  readonly memberId: bigint | null
  readonly fee: bigint
  readonly feeBurned: bigint
  readonly planVersion: number | null
  readonly level: number | null
  readonly addressBoundAt: Date | null
  readonly deviceSeenAt: Date | null
  /** From here to `decisionId`: only for a payment by operators, otherwise null. */
  readonly paidFrom: string | null
  readonly purpose: string | null
  readonly decisionId: bigint | null
  readonly releaseNumber: bigint | null
  readonly lookAt: Date
  readonly heldCheck: string | null
  readonly waitsFor: 'cap' | 'float' | 'chain' | 'missing' | null
  readonly tokenFailures: number
  readonly ended: 'final' | 'rejected' | 'cancelled' | 'reverted' | null
  readonly endedAt: Date | null
  readonly paidTx: Hex | null
  readonly paidLogIndex: number | null
  readonly paidAt: Date | null
}

/** The decision of the owning module whether a payout may be signed now. */
export type Verdict =
  | { readonly kind: 'go' }
  /** Nothing is wrong, but the payout must wait. The signer judges it again at this time. */
  | { readonly kind: 'wait'; readonly lookAt: Date }
  /** A check failed; `problem` describes it for the operators. */
  | { readonly kind: 'check'; readonly problem: string }

type PayoutColumns = {
  id: string
  number: bigint
  kind: PayoutRow['kind']
  asset: Asset
  amount: string
  address: Buffer
  requested_at: Date
  member_id: bigint | null
  fee: string
  fee_burned: string
  plan_version: number | null
  level: number | null
  address_bound_at: Date | null
  device_seen_at: Date | null
  paid_from: string | null
  purpose: string | null
  decision_id: bigint | null
  release_number: bigint | null
  look_at: Date
  held_check: string | null
  waits_for: PayoutRow['waitsFor']
  token_failures: number
  ended: PayoutRow['ended']
  ended_at: Date | null
  paid_tx: Buffer | null
  paid_log_index: number | null
  paid_at: Date | null
}

/** `where` is the SQL after `from lode.payout`. It may also have order, limit and lock. */
export async function readPayouts(db: Database, where: RawBuilder<unknown>): Promise<PayoutRow[]> {
  const { rows } = await sql<PayoutColumns>`
    select id, number, kind, asset, amount, address, requested_at, member_id, fee, fee_burned, plan_version, level,
           address_bound_at, device_seen_at, paid_from, purpose, decision_id, release_number, look_at, held_check,
           waits_for, token_failures, ended, ended_at, paid_tx, paid_log_index, paid_at
    from lode.payout ${where}`.execute(db)
  return rows.map((row) => ({
    id: row.id,
    number: row.number,
    kind: row.kind,
    asset: row.asset,
    amount: BigInt(row.amount),
    address: addressFromColumn(row.address),
    requestedAt: row.requested_at,
    memberId: row.member_id,
    fee: BigInt(row.fee),
    feeBurned: BigInt(row.fee_burned),
    planVersion: row.plan_version,
    level: row.level,
    addressBoundAt: row.address_bound_at,
    deviceSeenAt: row.device_seen_at,
    paidFrom: row.paid_from,
    purpose: row.purpose,
    decisionId: row.decision_id,
    releaseNumber: row.release_number,
    lookAt: row.look_at,
    heldCheck: row.held_check,
    waitsFor: row.waits_for,
    tokenFailures: row.token_failures,
    ended: row.ended,
    endedAt: row.ended_at,
    paidTx: row.paid_tx && toHex(row.paid_tx),
    paidLogIndex: row.paid_log_index,
    paidAt: row.paid_at,
  }))
}
