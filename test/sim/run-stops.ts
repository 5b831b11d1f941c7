import { openWorld, type WorldOptions } from './open-world.ts'
import { Random } from './random.ts'
import { runEnd } from './run-seed.ts'
import { runMinutelyJobs } from './stack/clock.ts'
import { capsOf } from './stack/restore-vault.ts'
import { exerciseStop } from './stops/exercise-stop.ts'
import type { Stop } from './stops/stop.ts'

type StopsRun = WorldOptions & {
  readonly stops: readonly Stop[]
  /** Ends the run before its next stop. */
  readonly signal: AbortSignal
}

/** Exercises the stops one after the other in one pool. Returns a summary. Throws a Violation if a rule is broken. */
export async function runStops(run: StopsRun): Promise<string> {
  const { seed, stops, trace, serverFolder, signal } = run
  // Normally a contradiction counts only after two minutes.
  const { world, close } = await openWorld({ ...run, environment: { CHAIN_BELIEVED_AFTER_MS: '1000' } })
  try {
    const caps = await capsOf(world)
    trace.log(`seed ${seed}: everything is up`)
    for (const [place, stop] of stops.entries()) {
      signal.throwIfAborted()
      await exerciseStop(world, stop, new Random(seed, 'stop', stop.how), { place, arePaidAtOnce: true })
      await runMinutelyJobs(world)
    }
    return await runEnd(world, caps, new Random(seed, 'end'), serverFolder)
  } finally {
    await close()
  }
}
