import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../../platform/db/database.ts'
import { kinds } from '../chart.ts'
import type { NumberRange } from '../seal-chain.ts'
import { EXAMPLES, type Findings } from './findings.ts'

const kindCodesOf = (log: 'available' | 'frozen'): number[] =>
  Object.values(kinds)
    .filter((kind) => kind.log === log)
    .map(({ code }) => code)

/** Log lines, and the postings and closings that belong to them: each is a query. */
type Lines = Readonly<Record<'lines' | 'postings' | 'closings', RawBuilder<unknown>>>

/** The lines of some members. Lines and members' postings are partitioned by member in the same way. */
export const linesOfMembers = (number: string, { first, last }: NumberRange): Lines => {
  const ofTable = (table: string) =>
    sql`select * from ${sql.id('lode', `${table}_${number}`)} where member between ${first} and ${last}`
  return {
    lines: ofTable('log_line'),
    postings: sql`${ofTable('posting_member')} and line is not null`,
    closings: ofTable('log_closing'),
  }
}

/**
 * The lines that a window of transactions began, ended or changed. A line has two transactions at most, so its other
 * postings are found by their transaction.
 */
export const linesOfWindow = ({ first, last }: NumberRange): Lines => {
  const postings = sql`
    select * from lode.posting where transaction between ${first} and ${last} and line is not null and member > 0`
  const lines = sql`
    select found.* from (
      select distinct member, (account >> 6 & 3)::smallint as asset, line from (${postings}) as posting
    ) as touched
    join lode.log_line found on found.member = touched.member and found.asset = touched.asset and found.id = touched.line`
  return {
    lines,
    postings: sql`
      ${postings}
      union all
      select other.* from (${lines}) as touched
      left join lode.log_closing ended
        on ended.member = touched.member and ended.asset = touched.asset and ended.line = touched.id
      cross join lateral (
        select * from lode.posting
        where posting.member = touched.member and posting.transaction = any (array[touched.transaction, ended.transaction])
          and posting.transaction not between ${first} and ${last}
          and posting.line = touched.id and posting.account >> 6 & 3 = touched.asset
      ) other`,
    closings: sql`select * from lode.log_closing`,
  }
}

/**
 * Checks that every log line agrees with its postings: the change of the available balance, the amount still frozen,
 * and the transactions that began and ended it.
 */
export async function auditLogLines(
  trx: Database,
  findings: Findings,
  checked: Lines,
): Promise<{ lines: bigint; closings: bigint }> {
  const { rows } = await sql<{ lines: bigint; closings: bigint; wrong: bigint }>`
    select count(id) as lines, count(closing) as closings, count(*) filter (where wrong) as wrong
    from (${compareLinesSql(checked)}) as line`.execute(trx)
  const count = rows[0] ?? { lines: 0n, closings: 0n, wrong: 0n }
  if (count.wrong > 0n) {
    const examples = await sql<{ example: string }>`
      select format('line %s of member %s', line, member) as example from (${compareLinesSql(checked)}) as line
      where wrong limit ${EXAMPLES}`.execute(trx)
    findings.addMany(
      'a log line does not agree with its postings',
      count.wrong,
      examples.rows.map(({ example }) => example),
    )
  }
  return { lines: count.lines, closings: count.closings }
}

/** Checks that every closing has a line: `closings` is the number of those that have. */
export async function auditClosingCount(
  trx: Database,
  findings: Findings,
  { first, last }: NumberRange,
  closings: bigint,
): Promise<void> {
  const { rows } = await sql<{ count: bigint }>`
    select count(*) as count from lode.log_closing where member between ${first} and ${last}`.execute(trx)
  findings.addMany('a log line ended that never began', (rows[0]?.count ?? 0n) - closings, [])
}

const compareLinesSql = ({ lines, postings, closings }: Lines) => sql`
  select coalesce(line.member, under.member) as member, coalesce(line.id, under.line) as line, line.id, closing.line as closing,
    (case coalesce(closing.phase, line.phase)
       when 'confirming' then under.available = line.amount - line.fee and under.frozen = -under.available
       when 'confirmed' then under.available = line.amount - line.fee and under.frozen = 0
       else under.available = 0 and under.frozen = 0 and closing.line is not null
     end
     and line.phase in ('confirming', 'confirmed')
     and (closing.line is null or line.phase = 'confirming' and closing.phase in ('confirmed', 'canceled'))
     and under.began_in = line.transaction and under.ended_in = coalesce(closing.transaction, line.transaction)
     and line.amount <> 0 and line.fee >= 0) is not true as wrong
  from (
    select member, (account >> 6 & 3)::smallint as asset, line,
           coalesce(sum(amount) filter (where account >> 8 & 63 = any (${kindCodesOf('available')})), 0) as available,
           coalesce(sum(amount) filter (where account >> 8 & 63 = any (${kindCodesOf('frozen')})), 0) as frozen,
           min(transaction) as began_in, max(transaction) as ended_in
    from (${postings}) as posting
    group by 1, 2, 3
  ) as under
  full join (${lines}) as line
    on line.member = under.member and line.asset = under.asset and line.id = under.line
  left join (${closings}) as closing
    on closing.member = line.member and closing.asset = line.asset and closing.line = line.id`
