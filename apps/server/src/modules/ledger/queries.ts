import { type Asset, assets, type Units, units } from '@lode/kernel'
import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../platform/db/database.ts'
import { accountRange, readAccountNumber, SYSTEM } from './account-number.ts'
import { assetCodes, type KindName, type KindsOf, type LogPhase, type LogType, logTypeCodes } from './chart.ts'

type MemberKind = KindsOf<'member'>
type SystemKind = KindsOf<'system'>

export type MemberBalances = { readonly [A in Asset]: { readonly [K in MemberKind]: Units<A> } }

/** All that is held for one member: one range of the accounts' own index. */
export async function balances(db: Database, member: bigint): Promise<MemberBalances> {
  const held = await balancesOf(db, member)
  const of = <A extends Asset>(asset: A) => {
    const amount = (kind: MemberKind) => units(asset, held.get(`${kind} ${asset}`) ?? 0n)
    return {
      available: amount('available'),
      frozenOut: amount('frozenOut'),
      frozenOrder: amount('frozenOrder'),
      pledged: amount('pledged'),
      agentUnclaimed: amount('agentUnclaimed'),
    }
  }
  return { USDT: of('USDT'), BTN: of('BTN'), BTC: of('BTC') }
}

/** The system's own accounts, their stripes added up. Custody is negative: it is minus what the chain holds. */
export async function systemBalances(db: Database): Promise<(kind: SystemKind, asset: Asset) => bigint> {
  const held = await balancesOf(db, SYSTEM)
  return (kind, asset) => held.get(`${kind} ${asset}`) ?? 0n
}

async function balancesOf(db: Database, owner: bigint): Promise<Map<`${KindName} ${Asset}`, bigint>> {
  const [first, end] = accountRange(owner)
  const { rows } = await sql<{ id: bigint; balance: string }>`
    select id, balance from lode.ledger_account where id >= ${first} and id < ${end}`.execute(db)
  const held = new Map<`${KindName} ${Asset}`, bigint>()
  for (const { id, balance } of rows) {
    const { kind, asset } = readAccountNumber(id)
    held.set(`${kind} ${asset}`, (held.get(`${kind} ${asset}`) ?? 0n) + BigInt(balance))
  }
  return held
}

export type LogLine = {
  readonly id: bigint
  readonly type: LogType
  readonly status: LogPhase
  /** Signed: what came is positive, what left is negative. The fee is not part of it. */
  readonly amount: bigint
  readonly fee: bigint
  readonly operation: string
  readonly at: Date
  /** When what was reserved was settled or released. */
  readonly endedAt: Date | null
}

export type LogQuery = {
  readonly member: bigint
  readonly asset: Asset
  readonly type?: LogType
  readonly status?: LogPhase
  /** Only operations that begin so, as all those of one transaction of the chain do. */
  readonly operationPrefix?: string
  /** The last line of the page before. */
  readonly before?: bigint
  readonly limit: number
}

/** A member's log, newest first. */
export async function logLines(db: Database, query: LogQuery): Promise<LogLine[]> {
  const { rows } = await logSelection(query).execute(db)
  return rows.map(({ type, amount, fee, ended_at, ...line }) => ({
    ...line,
    type: logTypeOf(type),
    amount: BigInt(amount),
    fee: BigInt(fee),
    endedAt: ended_at,
  }))
}

/**
 * Whatever the filter, the lines come in order from an index and the reading stops with the page: by the member's asset alone,
 * by type, or from the short index of all that was ever reserved, which is where anything but confirmed can be. Operations
 * that begin alike are few; with a type, they are found by the index that keeps them unique, and sorted.
 */
export function logSelection(query: LogQuery): RawBuilder<LogRow> {
  const { member, asset, type, status, operationPrefix, before, limit } = query
  const ofType = type === undefined ? sql`` : sql`and line.type = ${logTypeCodes[type]}`
  const beginning = operationPrefix === undefined ? sql`` : sql`and ${operationBegins(operationPrefix)}`
  const olderThan = before === undefined ? sql`` : sql`and line.id < ${before}`
  return sql`
    select line.id, line.type, coalesce(closing.phase, line.phase) as status, line.amount, line.fee,
           line.operation, line.at, closing.at as ended_at
    from lode.log_line line
    left join lateral (
      select phase, at from lode.log_closing
      where line.phase = 'confirming' and member = ${member} and asset = line.asset and log_closing.line = line.id
      limit 1
    ) closing on true
    where line.member = ${member} and line.asset = ${assetCodes[asset]} ${ofType} ${beginning} ${olderThan} ${status ? ofStatus[status] : sql``}
    order by line.id desc limit ${limit}`
}

/** As a range: what an index under the C collation can find, with whatever parameter. An operation is printable ASCII. */
function operationBegins(prefix: string): RawBuilder<unknown> {
  const last = prefix.charCodeAt(prefix.length - 1)
  const end = prefix.slice(0, -1) + String.fromCharCode(last + 1)
  return sql`line.operation >= ${prefix} and line.operation < ${end}`
}

/** Said by the phases themselves: of a computed status the planner would think that hardly any line has it, and sort. */
const ofStatus = {
  confirmed: sql`and (line.phase = 'confirmed' or closing.phase = 'confirmed')`,
  confirming: sql`and line.phase = 'confirming' and closing.phase is null`,
  canceled: sql`and line.phase = 'confirming' and closing.phase = 'canceled'`,
} as const satisfies Record<LogPhase, RawBuilder<unknown>>

type LogRow = {
  id: bigint
  type: number
  status: LogPhase
  amount: string
  fee: string
  operation: string
  at: Date
  ended_at: Date | null
}

const logTypes = new Map(Object.entries(logTypeCodes).map(([name, code]) => [code as number, name as LogType]))

function logTypeOf(code: number): LogType {
  const type = logTypes.get(code)
  if (!type) throw new Error(`${code} is no log type`)
  return type
}

/** When each asset of a member last changed: the time of its newest line. */
export async function lastChanges(db: Database, member: bigint): Promise<{ readonly [A in Asset]: Date | null }> {
  const newest = await Promise.all(assets.map((asset) => logLines(db, { member, asset, limit: 1 })))
  const [USDT = null, BTN = null, BTC = null] = newest.map(([line]) => line?.at ?? null)
  return { USDT, BTN, BTC }
}
