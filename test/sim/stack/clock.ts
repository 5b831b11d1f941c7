import { query } from '../query.ts'
import type { World } from '../world.ts'

/** Moves the clocks forward: the database's, which the product uses, and the chain's with its next block. */
export async function moveClock(world: World, seconds: number): Promise<void> {
  await setDatabaseClock(world.stack.ownerUrl, world.clockShift + seconds)
  world.clockShift += seconds
  await world.chain.request('evm_increaseTime', [seconds])
  await world.chain.mine(1)
}

export async function setDatabaseClock(ownerUrl: string, shiftSeconds: number): Promise<void> {
  await query(ownerUrl, 'update lode.clock set shift = make_interval(secs => $1)', [shiftSeconds])
}

/** The database's present time, in seconds. */
export const simulatedNow = ({ clockShift }: World): number => clockShift + Date.now() / 1_000

const DAY_SECONDS = 86_400

/** Moves forward to the next time that is this many seconds after midnight. */
export async function moveClockTo(world: World, secondOfDay: number): Promise<void> {
  const ahead = (secondOfDay - simulatedNow(world)) % DAY_SECONDS
  await moveClock(world, Math.ceil(ahead < 0 ? ahead + DAY_SECONDS : ahead))
}

/** Runs the worker's jobs of every minute now, because a step can skip days within a moment. */
export async function runMinutelyJobs({ stack }: Pick<World, 'stack'>): Promise<void> {
  const jobs = ['close-days', 'return-pledges']
  await query(
    stack.ownerUrl,
    'select graphile_worker.add_job(name, job_key => name) from unnest($1::text[]) as due (name)',
    [jobs],
  )
}
