import { type Asset, assets, type Units, units } from '@lode/kernel'
import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../platform/db/database.ts'
import { accountNumber, accountRange, readAccountNumber, SYSTEM } from './account-number.ts'
import { assetCodes, type KindName, type KindsOf, kinds, type LogPhase, type LogType, logTypeCodes } from './chart.ts'

type MemberKind = KindsOf<'member'>
type SystemKind = KindsOf<'system'>

export type MemberBalances = { readonly [A in Asset]: { readonly [K in MemberKind]: Units<A> } }

/** All balances of one member. The query reads one range of the account index. */
export const readBalances = async (db: Database, member: bigint): Promise<MemberBalances> =>
  toMemberBalances(await readBalancesOf(db, member))

/** The rows of parseBalances(), as a JSON value of a larger statement. */
export function balancesSql(member: bigint): RawBuilder<unknown> {
  const [first, end] = accountRange(member)
  return sql`(
    select coalesce(jsonb_agg(jsonb_build_object('id', id::text, 'balance', balance::text)), '[]')
    from lode.ledger_account where id >= ${first} and id < ${end})`
}

export const parseBalances = (rows: readonly { readonly id: string; readonly balance: string }[]): MemberBalances =>
  toMemberBalances(sumByAccount(rows.map(({ id, balance }) => ({ id: BigInt(id), balance }))))

function toMemberBalances(held: ReadonlyMap<string, bigint>): MemberBalances {
  const balancesIn = <A extends Asset>(asset: A) => {
    const amount = (kind: MemberKind) => units(asset, held.get(`${kind} ${asset}`) ?? 0n)
    return {
      available: amount('available'),
      frozenOut: amount('frozenOut'),
      frozenOrder: amount('frozenOrder'),
      pledged: amount('pledged'),
      agentUnclaimed: amount('agentUnclaimed'),
    }
  }
  return { USDT: balancesIn('USDT'), BTN: balancesIn('BTN'), BTC: balancesIn('BTC') }
}

/** Returns the balances of the system's accounts, with their stripes summed. Custody is minus what the chain holds. */
export async function readSystemBalances(db: Database): Promise<(kind: SystemKind, asset: Asset) => bigint> {
  const held = await readBalancesOf(db, SYSTEM)
  return (kind, asset) => held.get(`${kind} ${asset}`) ?? 0n
}

/** Returns the balance of one of the system's accounts, with its stripes summed. */
export async function readSystemBalance(db: Database, kind: SystemKind, asset: Asset): Promise<bigint> {
  const first = accountNumber(SYSTEM, kind, asset)
  const { rows } = await sql<{ balance: string }>`
    select coalesce(sum(balance), 0) as balance from lode.ledger_account
    where id >= ${first} and id < ${first + BigInt(kinds[kind].stripes)}`.execute(db)
  return BigInt(rows[0]?.balance ?? 0)
}

async function readBalancesOf(db: Database, owner: bigint): Promise<Map<`${KindName} ${Asset}`, bigint>> {
  const [first, end] = accountRange(owner)
  const { rows } = await sql<{ id: bigint; balance: string }>`
    select id, balance from lode.ledger_account where id >= ${first} and id < ${end}`.execute(db)
  return sumByAccount(rows)
}

function sumByAccount(rows: readonly { id: bigint; balance: string }[]): Map<`${KindName} ${Asset}`, bigint> {
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
  /** Signed: incoming is positive, outgoing is negative. The fee is not included. */
  readonly amount: bigint
  readonly fee: bigint
  readonly operation: string
  readonly at: Date
  /** When the line ended, because its frozen amount was settled or unfrozen. */
  readonly endedAt: Date | null
}

export type LogQuery = {
  readonly member: bigint
  readonly asset: Asset
  readonly type?: LogType
  readonly status?: LogPhase
  /** Only operations with this prefix, such as all log lines of one chain transaction. */
  readonly operationPrefix?: string
  /** Only lines that were written in this time. */
  readonly within?: LogTime
  /** The id of the last line of the previous page. */
  readonly before?: bigint
  readonly limit: number
}

export type LogTime = { readonly from: Date; readonly until: Date }

/** A member's log, newest first. */
export async function readLogLines(db: Database, query: LogQuery): Promise<LogLine[]> {
  const ids = query.within && (await findLineIds(db, query, query.within))
  const { rows } = await buildLogQuery(query, ids).execute(db)
  return rows.map(({ type, amount, fee, ended_at, ...line }) => ({
    ...line,
    type: logTypeOf(type),
    amount: BigInt(amount),
    fee: BigInt(fee),
    endedAt: ended_at,
  }))
}

/**
 * For every filter an index returns the lines in order, so reading stops at the end of the page. There are three
 * indexes: by member and asset, by type, and a small one of the lines that began as confirming, because only these can
 * have another status than confirmed. An operation prefix matches few lines. Together with a type, the unique index
 * finds them and PostgreSQL sorts them.
 */
export function buildLogQuery(query: LogQuery, ids?: IdRange): RawBuilder<LogRow> {
  const { member, asset, type, status, operationPrefix, within, before, limit } = query
  const ofType = type === undefined ? sql`` : sql`and line.type = ${logTypeCodes[type]}`
  const withPrefix = operationPrefix === undefined ? sql`` : sql`and ${operationStartsWith(operationPrefix)}`
  const olderThan = before === undefined ? sql`` : sql`and line.id < ${before}`
  const inTime =
    within === undefined ? sql`` : sql`and line.at >= ${within.from} and line.at < ${within.until} ${inRange(ids)}`
  return sql`
    select line.id, line.type, coalesce(closing.phase, line.phase) as status, line.amount, line.fee,
           line.operation, line.at, closing.at as ended_at
    from lode.log_line line
    left join lateral (
      select phase, at from lode.log_closing
      where line.phase = 'confirming' and member = ${member} and asset = line.asset and log_closing.line = line.id
      limit 1
    ) closing on true
    where line.member = ${member} and line.asset = ${assetCodes[asset]} ${ofType} ${withPrefix} ${inTime} ${olderThan} ${status ? ofStatus[status] : sql``}
    order by line.id desc limit ${limit}`
}

/** Line ids from `first` up to, but not including, `end`. */
type IdRange = { readonly first: bigint; readonly end: bigint }

const inRange = (ids: IdRange | undefined): RawBuilder<unknown> =>
  ids ? sql`and line.id >= ${ids.first} and line.id < ${ids.end}` : sql``

/** A transaction posts at most this long after the time that it writes. So ids and times differ in order by at most this. */
const TIME_MARGIN = sql`interval '10 minutes'`

/**
 * The ids between which all lines of a time are. No index has the times, because it would cost every posting. Ids grow
 * with time, so two binary searches by id find the ends, with about 40 index probes each.
 */
async function findLineIds(db: Database, { member, asset }: LogQuery, { from, until }: LogTime): Promise<IdRange> {
  const ofAsset = sql`member = ${member} and asset = ${assetCodes[asset]}`
  const { rows } = await sql<{ first: bigint | null; end: bigint | null }>`
    with recursive search (side, target, low, high) as (
      select side, target, 0::bigint, coalesce((select max(id) from lode.log_line where ${ofAsset}), 0) + 1
      from (values ('first', ${from}::timestamptz - ${TIME_MARGIN}), ('end', ${until}::timestamptz + ${TIME_MARGIN}))
        as given (side, target)
      union all
      select side, target, case when probe.at < target then probe.id + 1 else low end,
             case when probe.at < target then high else (low + high) / 2 end
      from search
      left join lateral (
        select id, at from lode.log_line where ${ofAsset} and id >= (low + high) / 2 and id < high order by id limit 1
      ) probe on true
      where low < high
    )
    select max(low) filter (where side = 'first') as first, max(low) filter (where side = 'end') as "end"
    from search where low >= high`.execute(db)
  return { first: rows[0]?.first ?? 0n, end: rows[0]?.end ?? 0n }
}

/** Compares with a range, because an index with the C collation can use it. Operations are printable ASCII. */
function operationStartsWith(prefix: string): RawBuilder<unknown> {
  const last = prefix.charCodeAt(prefix.length - 1)
  const end = prefix.slice(0, -1) + String.fromCharCode(last + 1)
  return sql`line.operation >= ${prefix} and line.operation < ${end}`
}

/** Each filter compares the two phase columns. For a computed status the planner would expect few rows and sort. */
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

type Holder = Pick<LogQuery, 'member' | 'asset'>

/**
 * The posting of each line's first transaction, for a query with `lode.log_line line`. `offset 0` and `+ 0` make
 * PostgreSQL look up the few postings of the transaction and sort them. Otherwise the planner may read the whole
 * account, because it expects that every account has as few postings as most have.
 */
const withFirstPosting = ({ member, asset }: Holder): RawBuilder<unknown> => sql`
    cross join lateral (
      select balance_after from (
        select version, balance_after from lode.posting
        where posting.member = ${member} and posting.transaction = line.transaction and posting.line = line.id
          and posting.account + 0 = ${accountNumber(member, 'available', asset)}
        offset 0
      ) of_line
      order by version desc limit 1
    ) posting`

/** The available balance after each of these lines was written, by the line's id. */
export async function readBalancesAfter(
  db: Database,
  holder: Holder,
  lines: readonly Pick<LogLine, 'id'>[],
): Promise<Map<bigint, bigint>> {
  if (lines.length === 0) return new Map()
  const { member, asset } = holder
  const { rows } = await sql<{ id: bigint; balance: string }>`
    select line.id, posting.balance_after as balance
    from lode.log_line line ${withFirstPosting(holder)}
    where line.member = ${member} and line.asset = ${assetCodes[asset]} and line.id = any(${lines.map(({ id }) => id)}::bigint[])`.execute(
    db,
  )
  return new Map(rows.map(({ id, balance }) => [id, BigInt(balance)]))
}

/** A member has one line for each type and operation. So these two identify a line before and after it is posted. */
export const buildLineId = (type: string, operation: string): string => `${type}:${operation}`

/** The available balance after each of these lines was written, by `buildLineId`. A line that does not exist is left out. */
export async function readBalancesAfterOperations(
  db: Database,
  holder: Holder,
  operations: readonly Pick<LogLine, 'type' | 'operation'>[],
): Promise<Map<string, bigint>> {
  if (operations.length === 0) return new Map()
  const types = operations.map(({ type }) => logTypeCodes[type])
  const { rows } = await sql<{ type: number; operation: string; balance: string }>`
    select line.type, line.operation, posting.balance_after as balance
    from unnest(${types}::smallint[], ${operations.map(({ operation }) => operation)}::text[]) as given (type, operation)
    join lode.log_line line on line.member = ${holder.member} and line.asset = ${assetCodes[holder.asset]}
      and line.type = given.type and line.operation = given.operation
    ${withFirstPosting(holder)}`.execute(db)
  return new Map(rows.map(({ type, operation, balance }) => [buildLineId(logTypeOf(type), operation), BigInt(balance)]))
}

const logTypes = new Map(Object.entries(logTypeCodes).map(([name, code]) => [code as number, name as LogType]))

function logTypeOf(code: number): LogType {
  const type = logTypes.get(code)
  if (!type) throw new Error(`there is no log type with the code ${code}`)
  return type
}

/** The time of a member's newest log line in each asset; null if the asset has no line. */
export async function readLastChanges(db: Database, member: bigint): Promise<{ readonly [A in Asset]: Date | null }> {
  const newest = await Promise.all(assets.map((asset) => readLogLines(db, { member, asset, limit: 1 })))
  const [USDT = null, BTN = null, BTC = null] = newest.map(([line]) => line?.at ?? null)
  return { USDT, BTN, BTC }
}
