import { sql } from 'kysely'
import type { Database } from '../../../platform/db/database.ts'
import type { NumberRange } from '../seal-chain.ts'
import { EXAMPLES, type Findings } from './findings.ts'

/**
 * Checks that the kept sums by day are those of the confirmed log lines, for the members in `members` of one partition.
 * auditLogLines() compares the same lines with their postings. Returns how many sums have lines.
 */
export async function auditDaySums(
  trx: Database,
  findings: Findings,
  number: string,
  members: NumberRange,
): Promise<bigint> {
  const compared = compareSumsSql(number, members)
  const { rows } = await sql<{ matched: bigint; wrong: bigint }>`
    select count(*) filter (where stored) as matched, count(*) filter (where wrong) as wrong
    from (${compared}) as compared`.execute(trx)
  const count = rows[0] ?? { matched: 0n, wrong: 0n }
  if (count.wrong > 0n) {
    const examples = await sql<{ example: string }>`
      select ${EXAMPLE} as example from (${compared}) as sum where wrong limit ${EXAMPLES}`.execute(trx)
    findings.addMany(
      'a kept sum is not the sum of its log lines',
      count.wrong,
      examples.rows.map(({ example }) => example),
    )
  }
  return count.matched
}

/** Checks that every kept sum has log lines: `matched` is the number of those that have. */
export async function auditDaySumCount(
  trx: Database,
  findings: Findings,
  members: NumberRange,
  matched: bigint,
): Promise<void> {
  const { rows } = await sql<{ count: bigint }>`
    select count(*) as count from lode.ledger_day_sum where member between ${members.first} and ${members.last}`.execute(
    trx,
  )
  const strays = (rows[0]?.count ?? 0n) - matched
  if (strays > 0n) findings.addMany('a kept sum has no log lines', strays, await findStraySums(trx, members))
}

const EXAMPLE = sql`format('member %s, asset %s, log type %s, day %s', sum.member, sum.asset, sum.type, sum.day)`

/** UTC, as the function computes it that posts. */
const CONFIRMED_DAY = sql`floor(extract(epoch from coalesce(closing.at, line.at)) / 86400)::int`

const confirmedLinesSql = (lines: string, closings: string, { first, last }: NumberRange) => sql`
  ${sql.id('lode', lines)} as line left join ${sql.id('lode', closings)} as closing
    on closing.member = line.member and closing.asset = line.asset and closing.line = line.id
  where line.member between ${first} and ${last} and coalesce(closing.phase, line.phase) = 'confirmed'`

/** Compares the amounts as text, which also finds NaN and decimal places. */
const compareSumsSql = (number: string, members: NumberRange) => sql`
  select due.*, kept.member is not null as stored,
         (kept.amount::text = due.amount::text and kept.fee::text = due.fee::text) is not true as wrong
  from (
    select line.member, line.asset, line.type, ${CONFIRMED_DAY} as day, sum(line.amount) as amount, sum(line.fee) as fee
    from ${confirmedLinesSql(`log_line_${number}`, `log_closing_${number}`, members)}
    group by 1, 2, 3, 4
  ) as due
  left join lode.ledger_day_sum kept
    on kept.member = due.member and kept.asset = due.asset and kept.type = due.type and kept.day = due.day`

async function findStraySums(trx: Database, members: NumberRange): Promise<string[]> {
  const { rows } = await sql<{ example: string }>`
    select ${EXAMPLE} as example from lode.ledger_day_sum as sum
    where sum.member between ${members.first} and ${members.last} and not exists (
      select from ${confirmedLinesSql('log_line', 'log_closing', members)}
        and line.member = sum.member and line.asset = sum.asset and line.type = sum.type and ${CONFIRMED_DAY} = sum.day)
    limit ${EXAMPLES}`.execute(trx)
  return rows.map(({ example }) => example)
}
