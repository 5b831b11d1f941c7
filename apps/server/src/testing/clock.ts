import { sql } from 'kysely'
import { createTestClient, http } from 'viem'
import type { Database } from '../platform/db/database.ts'

export type TestClock = {
  /** Moves all time on, or back where negative: the database's, and that of the chain node where one was given. */
  advance(seconds: number): Promise<void>
}

/** Give it a chain node only where the test has one of its own: others would age too. A chain's time never goes back. */
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
