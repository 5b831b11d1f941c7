import { sql } from 'kysely'
import type { Database } from '../../platform/db/database.ts'
import { transferIdOf } from './load-transfers.ts'

const MAX_LISTED = 500

/**
 * Lists the transfers for which an operator signed a decision in the last ten minutes. The signer judges them at once,
 * and verifies the signatures then. Older decisions need no list: the signer judges a held transfer again after ten
 * minutes at the latest.
 */
export async function listRecentlyDecidedTransfers(db: Database): Promise<string[]> {
  const { rows } = await sql<{ subject: string }>`
    select distinct decision.subject
    from lode.decision_signature as given join lode.decision on decision.id = given.decision_id
    where given.at > lode.now() - interval '10 minutes' and decision.subject like 'transfer:%'
    limit ${MAX_LISTED}`.execute(db)
  return rows.flatMap(({ subject }) => transferIdOf(subject) ?? [])
}
