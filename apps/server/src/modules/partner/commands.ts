import { ok, type Result, refused } from '@lode/kernel'
import { sql } from 'kysely'
import type { Database } from '../../platform/db/database.ts'
import { faultPoint } from '../../platform/faults/fault-point.ts'
import type { Session } from '../../platform/http/session.ts'
import { runOnce } from '../ledger/index.ts'

type Refusal =
  | 'account-disabled'
  | 'partner-not-activated'
  | 'partner-layers-open'
  | 'partner-applied'
  | 'partner-approved'

/** Applies for the member to become a partner, once for the idempotency key. */
export function applyForPartner(
  { db, session }: { readonly db: Database; readonly session: Session },
  { key }: { readonly key: string },
): Promise<Result<null, Refusal | 'key-conflict'>> {
  const member = session.memberId
  return runOnce<null, Refusal>(db, { member, key, name: 'partner/apply', terms: '' }, async (trx) => {
    const { rows } = await sql<{ answer: 'ok' | Refusal }>`
      select lode.apply_for_partner(${member}) as answer`.execute(trx)
    const [row] = rows
    if (!row) throw new Error('lode.apply_for_partner returned no row')
    if (row.answer !== 'ok') return refused(row.answer)
    faultPoint('api:before-commit')
    return ok(null)
  })
}
