import { sql } from 'kysely'
import type { Database } from '../../../platform/db/database.ts'
import { kinds } from '../chart.ts'
import { listPartitions } from './accounts.ts'
import { EXAMPLES, type Findings } from './findings.ts'

const kindCodesOf = (log: 'available' | 'frozen'): number[] =>
  Object.values(kinds)
    .filter((kind) => kind.log === log)
    .map(({ code }) => code)

/**
 * Checks that every log line agrees with its postings: the change of the available balance, the amount still frozen,
 * and the transactions that began and ended it. Log lines and members' postings are partitioned by member in the same
 * way, so the check joins them partition by partition.
 */
export async function auditLogLines(trx: Database, findings: Findings): Promise<{ lines: bigint }> {
  const partitions = await listPartitions(trx, 'log_line')
  let lines = 0n
  let closings = 0n
  for (const partition of partitions) {
    const number = partition.replace('log_line_', '')
    const { rows } = await sql<{ lines: bigint; closings: bigint; wrong: bigint }>`
      select count(id) as lines, count(closing) as closings, count(*) filter (where wrong) as wrong
      from (${compareLinesSql(number)}) as line`.execute(trx)
    const [count] = rows
    if (!count) continue
    lines += count.lines
    closings += count.closings
    if (count.wrong > 0n) {
      const examples = await sql<{ example: string }>`
        select format('line %s of member %s', line, member) as example from (${compareLinesSql(number)}) as line
        where wrong limit ${EXAMPLES}`.execute(trx)
      findings.addMany(
        'a log line does not agree with its postings',
        count.wrong,
        examples.rows.map(({ example }) => example),
      )
    }
  }
  const { rows } = await sql<{ count: bigint }>`select count(*) as count from lode.log_closing`.execute(trx)
  const closingsWithoutLine = (rows[0]?.count ?? 0n) - closings
  findings.addMany('a log line ended that never began', closingsWithoutLine, [])
  return { lines }
}

const compareLinesSql = (number: string) => sql`
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
    from ${sql.id('lode', `posting_member_${number}`)} where line is not null
    group by 1, 2, 3
  ) as under
  full join ${sql.id('lode', `log_line_${number}`)} as line
    on line.member = under.member and line.asset = under.asset and line.id = under.line
  left join ${sql.id('lode', `log_closing_${number}`)} as closing
    on closing.member = line.member and closing.asset = line.asset and closing.line = line.id`
