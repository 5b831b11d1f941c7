import { sql } from 'kysely'
import type { Database } from '../platform/db/database.ts'

/** The triggers that tie ledger transactions to the rows that explain them, by table. */
const CHECKS = {
  ledger_transaction: 'check_cause',
  payout: 'payout_is_posted',
  pay_order: 'order_is_posted',
  pledge: 'return_is_posted',
  reward_claim: 'claim_is_posted',
} as const

/**
 * Does something without these checks, as somebody with the owner's password could. For tests of what still protects
 * the money then: the signer's own checks and the audit.
 */
export async function withoutCauseChecks<T>(owner: Database, action: () => Promise<T>): Promise<T> {
  await setCauseChecks(owner, 'disable')
  try {
    return await action()
  } finally {
    await setCauseChecks(owner, 'enable always')
  }
}

export async function setCauseChecks(owner: Database, state: 'disable' | 'enable always'): Promise<void> {
  for (const [table, trigger] of Object.entries(CHECKS))
    await sql`alter table ${sql.table(`lode.${table}`)} ${sql.raw(state)} trigger ${sql.id(trigger)}`.execute(owner)
}
