import type { Refused, Result } from '@lode/kernel'
import type { Database, DatabaseTransaction } from './database.ts'

/** Carries a refusal out of the transaction, because Kysely rolls back only on an exception. */
class RolledBack extends Error {
  readonly refusal: Refused<unknown>
  constructor(refusal: Refused<unknown>) {
    super('refused')
    this.refusal = refusal
  }
}

/** Runs a command in one transaction. A refusal or an exception rolls back. The command must make no network call. */
export async function runTransaction<T, E>(
  db: Database,
  command: (transaction: DatabaseTransaction) => Promise<Result<T, E>>,
): Promise<Result<T, E>> {
  try {
    return await db.transaction().execute(async (trx) => {
      const result = await command(trx)
      if (!result.ok) throw new RolledBack(result)
      return result
    })
  } catch (error) {
    if (error instanceof RolledBack) return error.refusal as Refused<E>
    throw error
  }
}
