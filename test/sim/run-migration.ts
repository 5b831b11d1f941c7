import { moveLateMoney } from './migration/late-money.ts'
import { migrate } from './migration/migrate.ts'
import { traffic } from './migration/traffic.ts'
import { checkUsedIds, forgetPaidIds } from './migration/used-ids.ts'
import { openWorld } from './open-world.ts'
import { Random } from './random.ts'
import { repairAll, runEnd, runSteps, type StepsRun, violationIn } from './run-seed.ts'
import { capsOf } from './stack/restore-vault.ts'

type MigrationRun = StepsRun & {
  /** A planted fault, which the run must find: the old vault forgets the ids that it has paid. */
  readonly isForgetful: boolean
}

/** Of each of the two phases in which members go on while the pool moves. */
const TRAFFIC_STEPS = 5

/**
 * Carries the pool to another vault in the middle of random steps. Returns a summary. Throws a Violation if a rule is
 * broken.
 */
export async function runMigration(run: MigrationRun): Promise<string> {
  const { seed, steps, trace, serverFolder } = run
  const { world, close } = await openWorld(run)
  try {
    const caps = await capsOf(world)
    const half = Math.ceil(steps / 2)
    trace.log(`seed ${seed}: everything is up`)
    await runSteps(world, run, 1, half)
    await repairAll(world, caps)
    let step = steps
    const runTraffic = async (phase: keyof typeof traffic) => {
      await runSteps(world, { ...run, commands: traffic[phase] }, step + 1, step + TRAFFIC_STEPS)
      step += TRAFFIC_STEPS
    }
    const migrated = await migrate(world, new Random(seed, 'migration'), runTraffic)
    await runSteps(world, run, half + 1, steps)
    await repairAll(world, caps)
    const late = await moveLateMoney(world, migrated)
    if (run.isForgetful) await forgetPaidIds(world, migrated)
    const used = await checkUsedIds(world, migrated)
    const ended = await runEnd(world, caps, new Random(seed, 'end'), serverFolder)
    return `${used}; ${late}; ${ended}`
  } catch (error) {
    throw violationIn('the migration', error)
  } finally {
    await close()
  }
}
