import { sql } from 'kysely'
import type { Database } from '../../../platform/db/database.ts'
import { listPartitions } from './accounts.ts'
import { EXAMPLES, type Findings } from './findings.ts'

/**
 * Checks that the kept sums by day are those of the confirmed log lines. auditLogLines() compares the same lines with
 * their postings.
 */
export async function auditDaySums(trx: Database, findings: Findings): Promise<void> {
  let matched = 0n
  for (const partition of await listPartitions(trx, 'log_line')) {
    const compared = compareSumsSql(partition.replace('log_line_', ''))
    const { rows } = await sql<{ matched: bigint; wrong: bigint }>`
      select count(*) filter (where stored) as matched, count(*) filter (where wrong) as wrong
      from (${compared}) as compared`.execute(trx)
    const [count] = rows
    if (!count) continue
    matched += count.matched
    if (count.wrong > 0n) {
      const examples = await sql<{ example: string }>`
        select ${EXAMPLE} as example from (${compared}) as sum where wrong limit ${EXAMPLES}`.execute(trx)
      findings.addMany(
        'a kept sum is not the sum of its log lines',
        count.wrong,
        examples.rows.map(({ example }) => example),
      )
    }
  }
  const { rows } = await sql<{ count: bigint }>`select count(*) as count from lode.ledger_day_sum`.execute(trx)
  const strays = (rows[0]?.count ?? 0n) - matched
  if (strays > 0n) findings.addMany('a kept sum has no log lines', strays, await findStraySums(trx))
}

const EXAMPLE = sql`format('member %s, asset %s, log type %s, day %s', sum.member, sum.asset, sum.type, sum.day)`

/** UTC, as the function computes it that posts. */
const CONFIRMED_DAY = sql`floor(extract(epoch from coalesce(closing.at, line.at)) / 86400)::int`

const confirmedLinesSql = (lines: string, closings: string) => sql`
  ${sql.id('lode', lines)} as line left join ${sql.id('lode', closings)} as closing
    on closing.member = line.member and closing.asset = line.asset and closing.line = line.id
  where coalesce(closing.phase, line.phase) = 'confirmed'`

/** Compares the amounts as text, which also finds NaN and decimal places. */
const compareSumsSql = (number: string) => sql`
  select due.*, kept.member is not null as stored,
         (kept.amount::text = due.amount::text and kept.fee::text = due.fee::text) is not true as wrong
  from (
    select line.member, line.asset, line.type, ${CONFIRMED_DAY} as day, sum(line.amount) as amount, sum(line.fee) as fee
    from ${confirmedLinesSql(`log_line_${number}`, `log_closing_${number}`)}
    group by 1, 2, 3, 4
  ) as due
  left join lode.ledger_day_sum kept
    on kept.member = due.member and kept.asset = due.asset and kept.type = due.type and kept.day = due.day`

async function findStraySums(trx: Database): Promise<string[]> {
  const { rows } = await sql<{ example: string }>`
    select ${EXAMPLE} as example from lode.ledger_day_sum as sum
    where not exists (
      select from ${confirmedLinesSql('log_line', 'log_closing')}
        and line.member = sum.member and line.asset = sum.asset and line.type = sum.type and ${CONFIRMED_DAY} = sum.day)
    limit ${EXAMPLES}`.execute(trx)
  return rows.map(({ example }) => example)
}
