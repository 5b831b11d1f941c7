import { sql } from 'kysely'
import type { Database } from '../../../platform/db/database.ts'
import type { NumberRange } from '../seal-chain.ts'
import { divideIntoWindows, EVERYTHING } from './ranges.ts'

export const CAUSE_EXAMPLES = 20

/** The transactions of the whole ledger that nothing explains. */
export async function causeFindings(db: Database): Promise<string[]> {
  const findings: string[] = []
  for (const window of await divideIntoWindows(db, EVERYTHING)) findings.push(...(await findUncaused(db, window)))
  return findings.slice(0, CAUSE_EXAMPLES)
}

/**
 * Checks every transaction of a window against the thing that explains it, with the same function that checks it at
 * commit. One that two operators undid needs no cause any more; the reversal has its own. It is one statement, so that
 * it sees the transaction and its cause in one snapshot while the pool runs.
 */
export async function findUncaused(db: Database, { first, last }: NumberRange): Promise<string[]> {
  const { rows } = await sql<{ key: string; type: string; member: bigint }>`
    select posted.key, rule.name as type, posted.member
    from lode.ledger_transaction posted join lode.ledger_type rule on rule.code = posted.type
    where posted.id between ${first} and ${last}
      and lode.is_caused(posted) is not true
      and not exists (select from lode.correction where answers = posted.id)
    order by posted.id limit ${CAUSE_EXAMPLES}`.execute(db)
  return rows.map(({ key, type, member }) => `${type} ${key} of member ${member} has no cause that explains it`)
}
