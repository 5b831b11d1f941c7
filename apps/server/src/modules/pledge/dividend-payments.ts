import { entitled } from '@lode/kernel'
import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../platform/db/database.ts'

export type DueDividend = {
  readonly id: string
  readonly member: bigint
  /** The total that the pledge is entitled to by now, and the unpaid part of it. */
  readonly entitled: bigint
  readonly due: bigint
  /** The day after the pledge's last one. */
  readonly endDay: number
}

/** Returns the dividends that are due. `lockCall` calls the SQL function that selects and locks the pledges. */
export async function loadDueDividends(trx: Database, lockCall: RawBuilder<unknown>): Promise<DueDividend[]> {
  const { rows } = await sql<{
    id: string
    member_id: bigint
    weight: string
    paid: string
    per_weight_from: string
    per_weight_to: string
    end_day: number
  }>`
    select id, member_id, weight, paid, per_weight_from, per_weight_to, end_day
    from ${lockCall}`.execute(trx)
  return rows.map((row) => {
    const total = entitled({
      weight: BigInt(row.weight),
      from: BigInt(row.per_weight_from),
      to: BigInt(row.per_weight_to),
    })
    return { id: row.id, member: row.member_id, entitled: total, due: total - BigInt(row.paid), endDay: row.end_day }
  })
}

type DividendPayment = {
  /** The ledger transaction that pays the due amount; null if nothing is due. */
  readonly transactionOf: (due: DueDividend) => bigint | null
  readonly isFinal: boolean
}

/** Records the payments. The database computes each amount again and compares it with the ledger. */
export async function recordDividendPayments(
  trx: Database,
  dues: readonly DueDividend[],
  { transactionOf, isFinal }: DividendPayment,
): Promise<void> {
  const transactions = dues.map((due) => transactionOf(due)?.toString() ?? null)
  await sql`
    select lode.pay_pledges(${dues.map(({ id }) => id)}::uuid[], ${dues.map((one) => String(one.entitled))}::numeric[],
                            ${transactions}::bigint[], ${isFinal})`.execute(trx)
}
