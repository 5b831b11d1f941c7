import { sql } from 'kysely'
import type { Database } from '../../platform/db/database.ts'
import { transferOf } from './known.ts'

const MOST = 500

/**
 * The ids of transfers about which an operator signed a decision within the last ten minutes, which is the longest time
 * for which the signer postpones a held transfer. The signer verifies the signatures when it looks at the transfer.
 */
export async function transfersDecidedLately(db: Database): Promise<string[]> {
  const { rows } = await sql<{ subject: string }>`
    select distinct decision.subject
    from lode.decision_signature as given join lode.decision on decision.id = given.decision_id
    where given.at > lode.now() - interval '10 minutes' and decision.subject like 'transfer:%'
    limit ${MOST}`.execute(db)
  return rows.flatMap(({ subject }) => transferOf(subject) ?? [])
}
