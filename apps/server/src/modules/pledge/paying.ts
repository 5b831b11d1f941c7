import { entitled } from '@lode/kernel'
import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../platform/db/database.ts'

export type Due = {
  readonly id: string
  readonly member: bigint
  /** The total that the pledge is entitled to by now, and the unpaid part of it. */
  readonly entitled: bigint
  readonly due: bigint
}

/** Returns what is due to pledges. `locking` is a call of the SQL function that locks them. */
export async function pledgeDues(inside: Database, locking: RawBuilder<unknown>): Promise<Due[]> {
  const { rows } = await sql<{
    id: string
    member_id: bigint
    weight: string
    paid: string
    per_weight_from: string
    per_weight_to: string
  }>`
    select id, member_id, weight, paid, per_weight_from, per_weight_to
    from ${locking}`.execute(inside)
  return rows.map((row) => {
    const now = entitled({
      weight: BigInt(row.weight),
      from: BigInt(row.per_weight_from),
      to: BigInt(row.per_weight_to),
    })
    return { id: row.id, member: row.member_id, entitled: now, due: now - BigInt(row.paid) }
  })
}

type Paying = {
  /** The ledger transaction that pays the new part; null if there is none. */
  readonly postedAs: (due: Due) => bigint | null
  readonly forGood: boolean
}

/** Records the payments. The database computes each amount again and compares it with the ledger. */
export async function paidPledges(
  inside: Database,
  dues: readonly Due[],
  { postedAs, forGood }: Paying,
): Promise<void> {
  const transactions = dues.map((due) => postedAs(due)?.toString() ?? null)
  await sql`
    select lode.pay_pledges(${dues.map(({ id }) => id)}::uuid[], ${dues.map((one) => String(one.entitled))}::numeric[],
                            ${transactions}::bigint[], ${forGood})`.execute(inside)
}
