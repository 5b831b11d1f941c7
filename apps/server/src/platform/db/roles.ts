import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import pg from 'pg'
import type { Database } from './database.ts'
import { scramVerifier } from './scram-verifier.ts'

export const PROCESS_ROLES = ['lode_api', 'lode_worker', 'lode_signer', 'lode_operator'] as const
type ProcessRole = (typeof PROCESS_ROLES)[number]
const ATTEMPTS = 20

/** Gives all login roles the same well-known password. For development and tests only. */
export async function setRolePasswords(db: Database, password: string): Promise<void> {
  for (const role of PROCESS_ROLES) await setPassword(db, role, password)
}

/** Only the owner of the database can do this. The password itself is not sent. */
export const setRolePassword = (owner: Database, role: ProcessRole, password: string): Promise<void> =>
  setPassword(owner, role, scramVerifier(password))

/**
 * Retries, because roles belong to the whole cluster: PostgreSQL answers XX000 while a migration of another database
 * changes the same role.
 */
async function setPassword(db: Database, role: string, password: string): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await sql`alter role ${sql.id(role)} password ${sql.lit(password)}`.execute(db)
      return
    } catch (error) {
      const changedMeanwhile = error instanceof pg.DatabaseError && error.code === 'XX000'
      if (!changedMeanwhile || attempt === ATTEMPTS) throw error
      await sleep(25)
    }
  }
}
