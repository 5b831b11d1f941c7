import { sql } from 'kysely'
import type { Database } from '../platform/db/database.ts'

/**
 * The types of which the ledger has postings, each with how many of them two operators could undo. All numbers must be
 * zero in a ledger in which everything really happened.
 */
export async function countReversible(owner: Database): Promise<Record<string, number>> {
  const { rows } = await sql<{ type: string; reversible: number }>`
    select rule.name as type,
           (count(*) filter (where (lode.find_reversal(posted.member, posted.key)).problem is distinct from 'caused'))::int as reversible
    from lode.ledger_transaction posted join lode.ledger_type rule on rule.code = posted.type
    group by 1 order by 1`.execute(owner)
  return Object.fromEntries(rows.map(({ type, reversible }) => [type, reversible]))
}
