import { sql } from 'kysely'
import { createTestClient, http } from 'viem'
import type { Database } from '../platform/db/database.ts'

export type TestClock = {
  /** Moves the clock forward, or back if negative: the database's, and the chain node's if one was given. */
  advance(seconds: number): Promise<void>
}

/**
 * Pass a chain node only if no other test uses it, because its time changes for all. A chain's time never goes back.
 */
export function createTestClock(db: Database, rpcUrl?: string): TestClock {
  const chain = rpcUrl === undefined ? null : createTestClient({ mode: 'anvil', transport: http(rpcUrl) })
  return {
    advance: async (seconds) => {
      await sql`update lode.clock set shift = shift + make_interval(secs => ${seconds})`.execute(db)
      await chain?.increaseTime({ seconds })
      await chain?.mine({ blocks: 1 })
    },
  }
}
