import { sql } from 'kysely'
import type { Database } from '../../../platform/db/database.ts'
import { findWindowEnd } from './transactions.ts'

const EXAMPLES = 20

/**
 * Checks every transaction against the thing that explains it, with the same function that checks it at commit. One that
 * two operators undid needs no cause any more; the reversal has its own. Each window is one statement, so that it sees
 * the transaction and its cause in one snapshot while the pool runs.
 */
export async function causeFindings(db: Database): Promise<string[]> {
  const findings: string[] = []
  for (let after = 0n, upTo: bigint | null = 0n; upTo !== null; after = upTo ?? after) {
    upTo = await findWindowEnd(db, after)
    const { rows } = await sql<{ key: string; type: string; member: bigint }>`
      select posted.key, rule.name as type, posted.member
      from lode.ledger_transaction posted join lode.ledger_type rule on rule.code = posted.type
      where posted.id > ${after} and ${upTo === null ? sql`true` : sql`posted.id <= ${upTo}`}
        and lode.is_caused(posted) is not true
        and not exists (select from lode.correction where answers = posted.id)
      order by posted.id limit ${EXAMPLES}`.execute(db)
    for (const { key, type, member } of rows)
      if (findings.length < EXAMPLES) findings.push(`${type} ${key} of member ${member} has no cause that explains it`)
  }
  return findings
}
