import type { Asset } from '@lode/kernel'
import { type RawBuilder, sql } from 'kysely'
import type { Address, Hex } from 'viem'
import { addressFromColumn } from '../../platform/chain/column.ts'
import type { Database } from '../../platform/db/database.ts'

/** What is known of one payout. Where it stands follows from that; no column says it. */
export type PayoutRow = {
  readonly id: string
  /** In the order in which they were asked for. */
  readonly number: bigint
  readonly kind: 'transfer' | 'treasury' | 'suspense'
  readonly asset: Asset
  /** What arrives, in smallest units. */
  readonly amount: bigint
  readonly address: Address
  readonly requestedAt: Date
  /** Of a transfer; null otherwise. */
  readonly memberId: bigint | null
  readonly fee: bigint
  readonly feeBurned: bigint
  readonly planVersion: number | null
  readonly level: number | null
  readonly addressBoundAt: Date | null
  readonly deviceSeenAt: Date | null
  /** Of an operators' payment; null otherwise. */
  readonly paidFrom: string | null
  readonly purpose: string | null
  readonly decisionId: bigint | null
  readonly releaseNumber: bigint | null
  readonly lookAt: Date
  readonly heldCheck: string | null
  readonly waitsFor: 'cap' | 'float' | 'chain' | null
  readonly tokenFailures: number
  readonly ended: 'final' | 'rejected' | 'cancelled' | 'reverted' | null
  readonly endedAt: Date | null
  readonly paidTx: Hex | null
  readonly paidLogIndex: number | null
  readonly paidAt: Date | null
}

/** What those who know about a payout's kind say of one that is to be signed. */
export type Verdict =
  | { readonly kind: 'go' }
  /** Nothing is wrong with it, but its time has not come. */
  | { readonly kind: 'wait'; readonly lookAt: Date }
  /** Something is not as it should be: in words, for the operators. */
  | { readonly kind: 'check'; readonly what: string }

type Columns = Omit<PayoutRow, 'amount' | 'fee' | 'feeBurned' | 'address' | 'paidTx'> & {
  amount: string
  fee: string
  feeBurned: string
  address: Buffer
  paidTx: Buffer | null
}

/** `where` comes after `from lode.payout`, with order, limit and lock as is needed. */
export async function readPayouts(db: Database, where: RawBuilder<unknown>): Promise<PayoutRow[]> {
  const { rows } = await sql<Columns>`
    select id, number, kind, asset, amount, address, requested_at as "requestedAt", member_id as "memberId", fee,
           fee_burned as "feeBurned", plan_version as "planVersion", level, address_bound_at as "addressBoundAt",
           device_seen_at as "deviceSeenAt", paid_from as "paidFrom", purpose, decision_id as "decisionId",
           release_number as "releaseNumber", look_at as "lookAt", held_check as "heldCheck", waits_for as "waitsFor",
           token_failures as "tokenFailures", ended, ended_at as "endedAt", paid_tx as "paidTx",
           paid_log_index as "paidLogIndex", paid_at as "paidAt"
    from lode.payout ${where}`.execute(db)
  return rows.map((row) => ({
    ...row,
    amount: BigInt(row.amount),
    fee: BigInt(row.fee),
    feeBurned: BigInt(row.feeBurned),
    address: addressFromColumn(row.address),
    paidTx: row.paidTx && `0x${row.paidTx.toString('hex')}`,
  }))
}
