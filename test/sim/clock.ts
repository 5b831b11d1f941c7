import { query } from './query.ts'
import type { World } from './world.ts'

/** Moves all time on: the database's, which the product goes by, and the chain's with its next block. */
export async function moveClock(world: World, seconds: number): Promise<void> {
  await setDatabaseClock(world.stack.ownerUrl, world.clockShift + seconds)
  world.clockShift += seconds
  await world.chain.request('evm_increaseTime', [seconds])
  await world.chain.mine(1)
}

export async function setDatabaseClock(ownerUrl: string, shiftSeconds: number): Promise<void> {
  await query(ownerUrl, 'update lode.clock set shift = make_interval(secs => $1)', [shiftSeconds])
}

/** What time it is by the database, in seconds. */
export const simulatedNow = ({ clockShift }: World): number => clockShift + Date.now() / 1_000
