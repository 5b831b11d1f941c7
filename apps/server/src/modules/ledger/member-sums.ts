import type { Asset } from '@lode/kernel'
import { sql } from 'kysely'
import type { Database } from '../../platform/db/database.ts'
import { readAccountNumber } from './account-number.ts'
import { assetCodes, type KindsOf, type LogType, logTypeCodes } from './chart.ts'

/** The sum of a member's postings of one account kind, direction and log line type. Pledged postings have no line. */
export type MemberSum = {
  readonly asset: Asset
  readonly kind: KindsOf<'member'>
  readonly type: LogType | null
  /** Signed: a credit is positive. */
  readonly amount: bigint
}

const typeByCode = new Map(Object.entries(logTypeCodes).map(([name, code]) => [code as number, name as LogType]))

/**
 * A member's whole history as a few sums: what was credited to and debited from each account kind, by log type. It
 * reads every posting of the member. These are all in one partition.
 */
export async function memberSums(db: Database, member: bigint): Promise<MemberSum[]> {
  const { rows } = await sql<{ account: bigint; type: number | null; amount: string }>`
    select posting.account, line.type, sum(posting.amount) as amount
    from lode.posting
    left join lode.log_line line
      on line.member = ${member} and line.asset = posting.account >> 6 & 3 and line.id = posting.line
    where posting.member = ${member}
    group by posting.account, line.type, posting.amount > 0`.execute(db)
  return rows.map(({ account, type, amount }) => {
    const { kind, asset } = readAccountNumber(account)
    return { asset, kind: kind as MemberSum['kind'], type: typeOf(type), amount: BigInt(amount) }
  })
}

function typeOf(code: number | null): LogType | null {
  if (code === null) return null
  const type = typeByCode.get(code)
  if (!type) throw new Error(`${code} is no log type`)
  return type
}

/** The fees of a member's transfers that were paid, in smallest units. */
export async function feesPaid(db: Database, member: bigint): Promise<{ readonly [A in Asset]: bigint }> {
  const { rows } = await sql<{ asset: number; fee: string }>`
    select line.asset, sum(line.fee) as fee
    from lode.log_line line
    join lode.log_closing closing on closing.member = ${member} and closing.asset = line.asset and closing.line = line.id
    where line.member = ${member} and line.type = ${logTypeCodes.transferOut} and line.phase = 'confirming'
      and closing.phase = 'confirmed'
    group by line.asset`.execute(db)
  const of = (asset: Asset): bigint => BigInt(rows.find((row) => row.asset === assetCodes[asset])?.fee ?? 0)
  return { USDT: of('USDT'), BTN: of('BTN'), BTC: of('BTC') }
}
