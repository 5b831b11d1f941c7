import type { Asset } from '@lode/kernel'
import { sql } from 'kysely'
import type { Database } from '../../platform/db/database.ts'
import { readAccountNumber } from './account-number.ts'
import { assetCodes, type KindsOf, type LogType, logTypeCodes } from './chart.ts'

/** The sum of a member's credits, or of the debits, in one asset, account kind and log type. */
export type MemberSum = {
  readonly asset: Asset
  readonly kind: KindsOf<'member'>
  /** Null for `pledged` and `agentUnclaimed`: their postings have no log line. */
  readonly type: LogType | null
  /** A credit is positive, a debit negative. */
  readonly amount: bigint
}

const typeByCode = new Map(Object.entries(logTypeCodes).map(([name, code]) => [code as number, name as LogType]))

/**
 * Sums a member's whole history: the credits and the debits of each account kind, by log type. It reads every posting
 * of the member; all of them are in one partition.
 */
export async function readMemberSums(db: Database, member: bigint): Promise<MemberSum[]> {
  const { rows } = await sql<{ account: bigint; type: number | null; amount: string }>`
    select posting.account, line.type, sum(posting.amount) as amount
    from lode.posting
    left join lode.log_line line
      on line.member = ${member} and line.asset = posting.account >> 6 & 3 and line.id = posting.line
    where posting.member = ${member}
    group by posting.account, line.type, posting.amount > 0`.execute(db)
  return rows.map(({ account, type, amount }) => {
    const { kind, asset } = readAccountNumber(account)
    return { asset, kind: kind as MemberSum['kind'], type: logTypeOf(type), amount: BigInt(amount) }
  })
}

function logTypeOf(code: number | null): LogType | null {
  if (code === null) return null
  const type = typeByCode.get(code)
  if (!type) throw new Error(`there is no log type with the code ${code}`)
  return type
}

/** The fees of those of a member's transfers that were paid out, in smallest units. */
export async function readFeesPaid(db: Database, member: bigint): Promise<{ readonly [A in Asset]: bigint }> {
  const { rows } = await sql<{ asset: number; fee: string }>`
    select line.asset, sum(line.fee) as fee
    from lode.log_line line
    join lode.log_closing closing on closing.member = ${member} and closing.asset = line.asset and closing.line = line.id
    where line.member = ${member} and line.type = ${logTypeCodes.transferOut} and line.phase = 'confirming'
      and closing.phase = 'confirmed'
    group by line.asset`.execute(db)
  const feeOf = (asset: Asset): bigint => BigInt(rows.find((row) => row.asset === assetCodes[asset])?.fee ?? 0)
  return { USDT: feeOf('USDT'), BTN: feeOf('BTN'), BTC: feeOf('BTC') }
}
