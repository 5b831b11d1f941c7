import { setTimeout as sleep } from 'node:timers/promises'
import { query } from '../query.ts'
import { Violation, type World } from '../world.ts'

const JOB_TIMEOUT_MS = 60_000

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

/** Runs a job of the worker now and waits until it is done. */
export async function runJob({ stack }: Pick<World, 'stack'>, name: string): Promise<void> {
  const [job] = await query<{ id: string }>(stack.ownerUrl, 'select id from graphile_worker.add_job($1)', [name])
  const isQueued = 'select id from graphile_worker.jobs where id = $1'
  const deadline = Date.now() + JOB_TIMEOUT_MS
  while ((await query(stack.ownerUrl, isQueued, [job?.id])).length > 0) {
    if (Date.now() > deadline) throw new Violation(`the worker does not end the job ${name}`)
    await sleep(50)
  }
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
