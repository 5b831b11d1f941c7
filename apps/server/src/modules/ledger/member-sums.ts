import type { Asset } from '@lode/kernel'
import { sql } from 'kysely'
import type { Database } from '../../platform/db/database.ts'
import { assetCodes, type LogType, logTypeCodes } from './chart.ts'

/** What a member's confirmed log lines of one asset and type add up to, in smallest units. */
export type MemberSum = {
  readonly asset: Asset
  readonly type: LogType
  /** A credit is positive, a debit negative. What the member holds changes by `amount` − `fee`. */
  readonly amount: bigint
  readonly fee: bigint
}

const assetByCode = new Map(Object.entries(assetCodes).map(([name, code]) => [code as number, name as Asset]))
const typeByCode = new Map(Object.entries(logTypeCodes).map(([name, code]) => [code as number, name as LogType]))

/**
 * A member's sums since registration, from the kept sums by day. It reads at most one row for each day, asset and type
 * with a confirmed line, however many lines there are.
 */
export async function readMemberSums(db: Database, member: bigint): Promise<MemberSum[]> {
  const { rows } = await sql<{ asset: number; type: number; amount: string; fee: string }>`
    select asset, type, sum(amount) as amount, sum(fee) as fee
    from lode.ledger_day_sum where member = ${member} group by asset, type`.execute(db)
  return rows.map(({ asset, type, amount, fee }) => ({
    asset: nameOf(assetByCode, asset),
    type: nameOf(typeByCode, type),
    amount: BigInt(amount),
    fee: BigInt(fee),
  }))
}

function nameOf<Name>(names: ReadonlyMap<number, Name>, code: number): Name {
  const name = names.get(code)
  if (!name) throw new Error(`the chart has no code ${code}`)
  return name
}
