import { setTimeout as sleep } from 'node:timers/promises'
import { runLode } from '@lode/scripts/server'
import { fundToday } from './commands/fund-dividend.ts'
import { approveWaitingTransfer } from './commands/operators.ts'
import { collect } from './commands/production.ts'
import { readStatement, readWallet } from './commands/read-pages.ts'
import { areAllNodesReachable } from './conditions.ts'
import {
  FIRST_MEMBERS,
  isCaughtUp,
  openWorld,
  pledgeOnline,
  type WorldOptions,
  waitUntil,
  waitUntilCaughtUp,
} from './open-world.ts'
import { query } from './query.ts'
import { Random } from './random.ts'
import { BLOCKS_TO_FINALITY } from './stack/chain.ts'
import { moveClock, runJob, runMinutelyJobs } from './stack/clock.ts'
import { capsOf, restoreVault } from './stack/restore-vault.ts'
import { exerciseStop } from './stops/exercise-stop.ts'
import type { Stop } from './stops/stop.ts'
import { type Command, Violation, type World } from './world.ts'

/** A run of random steps. */
export type StepsRun = WorldOptions & {
  readonly steps: number
  /** The commands to draw steps from. */
  readonly commands: readonly Command[]
  /** Ends the run before its next step. */
  readonly signal: AbortSignal
}

type SeedRun = StepsRun & {
  /** One of these stops is exercised at the end. */
  readonly stops: readonly Stop[]
}

type Caps = Awaited<ReturnType<typeof capsOf>>

/** How long the worker gets to process a step before the checker runs. */
const WORKER_PAUSE_MS = 90
const SETTLE_MS = 500
/** The 72 hours of a reset, a day more, and the time of a transfer that waited for it. */
const DAYS_TO_FINISH = 6

/** Returns a summary of transfers and promotions. Throws a Violation if a rule is broken. */
export async function runSeed(run: SeedRun): Promise<string> {
  const { seed, steps, trace, serverFolder } = run
  const { world, close } = await openWorld(run)
  try {
    const caps = await capsOf(world)
    trace.log(`seed ${seed}: everything is up, and ${FIRST_MEMBERS} members are there`)
    await runSteps(world, run, 1, steps)
    const summary = await runEnd(world, caps, new Random(seed, 'end'), serverFolder, run.stops)
    trace.log('everything has ended, and every check passed')
    return summary
  } finally {
    await close()
  }
}

/** Runs the steps from `first` to `last`. Each depends on the seed and its number. */
export async function runSteps(
  world: World,
  { seed, commands, signal }: Pick<StepsRun, 'seed' | 'commands' | 'signal'>,
  first: number,
  last: number,
): Promise<void> {
  for (let step = first; step <= last; step += 1) {
    signal.throwIfAborted()
    await runStep(world, step, commands, new Random(seed, 'step', step))
  }
}

async function runStep(world: World, step: number, commands: readonly Command[], random: Random): Promise<void> {
  for (const repair of world.repairs) repair.inSteps -= 1
  await repairWhere(world, ({ inSteps }) => inSteps <= 0)
  const command = random.pickWeighted(commands.filter(({ isPossible }) => isPossible?.(world) ?? true))
  // Drawn before the command runs, so that it does not depend on the command's draws.
  const blocks = random.pick([0, 1, 1, 2, 3])
  try {
    const told = await command.run(world, random)
    await world.chain.mine(blocks)
    world.trace.log(`${String(step).padStart(3)}  ${told}${blocks > 0 ? `; then ${blocks} blocks` : ''}`)
    await settle(world)
    await runMinutelyJobs(world)
    await world.checker.check()
  } catch (error) {
    throw violationIn(`step ${step}, ${command.name}`, error)
  }
}

/** Repairs everything, lets enough time pass for everything to end, and makes the checks of the end. */
export async function runEnd(
  world: World,
  caps: Caps,
  random: Random,
  serverFolder: string,
  stops: readonly Stop[] = [],
): Promise<string> {
  try {
    await repairAll(world, caps)
    if (stops.length > 0) await exerciseOneStop(world, stops, random)
    await waitUntilAllEnds(world, random)
    await world.chain.mine(1)
    await waitUntil(world, 'sees what is there', () => world.checker.seenFindings())
    await world.chain.mine(BLOCKS_TO_FINALITY + 2)
    await waitUntilCaughtUp(world, 'is through', true)
    // Normally this job runs every minute.
    await runJob(world, 'sweep-suspense')
    const summary = await world.checker.checkEnd()
    for (const actor of world.actors.filter(({ isMember }) => isMember)) {
      const held = await readWallet(world, actor, random)
      const said = await readStatement(world, actor)
      for (const [symbol, due] of await world.checker.statementOf(actor.account)) {
        if (held.get(symbol) !== due.held)
          throw new Violation(`${actor.name} is shown ${held.get(symbol)} ${symbol} of ${due.held} that are due`)
        for (const name of ['paidIn', 'received', 'spent', 'takenOut', 'held'] as const)
          if (said.get(symbol)?.[name] !== due[name])
            throw new Violation(
              `${actor.name}'s statement has ${name} ${said.get(symbol)?.[name]} ${symbol}, not ${due[name]}`,
            )
      }
    }
    await auditBooks(world, serverFolder)
    await checkNothingCanBeUndone(world)
    return summary
  } catch (error) {
    throw violationIn('the end', error)
  }
}

/** Repairs everything that a step broke. */
export async function repairAll(world: World, caps: Caps): Promise<void> {
  await endFaults(world)
  await Promise.all([world.stack.api.ready(), world.stack.worker.ready(), world.stack.signer.ready()])
  await restoreVault(world, caps)
}

/** Ends the faults of earlier steps, without waiting for the processes. */
export async function endFaults(world: World): Promise<void> {
  await repairWhere(world, () => true)
  await world.stack.disarmFaults()
}

/** After a random history holds may delay transfers, so only the end of the run waits until they are paid. */
async function exerciseOneStop(world: World, stops: readonly Stop[], random: Random): Promise<void> {
  await world.chain.mine(BLOCKS_TO_FINALITY)
  const stop = random.pick(stops)
  await exerciseStop(world, stop, random, { place: random.between(0, FIRST_MEMBERS), arePaidAtOnce: false })
}

/** The audit must find the ledger right, and must report each level that was written by hand. */
async function auditBooks(world: World, serverFolder: string): Promise<void> {
  const given = new Set(world.acknowledged.givenLevels.map(({ account }) => account)).size
  const audited = runLode(world.stack.ownerUrl, ['audit'], serverFolder)
  if (given === 0) return void (await audited.catch(({ stdout }: { stdout?: string }) => fail(stdout)))
  const printed = await audited.then(fail, ({ stdout = '' }: { stdout?: string }) => stdout)
  const wrong = printed.match(/^WRONG .*$/gm) ?? []
  const levels = wrong.filter((line) => line.endsWith('holds another level than its promotions add up to'))
  if (levels.length !== given || wrong.length !== given) fail(printed)
}

function fail(audit = ''): never {
  throw new Violation(`lode audit:\n${audit}`)
}

/** Everything in the ledger really happened, so two operators can undo nothing of it. */
async function checkNothingCanBeUndone({ stack }: World): Promise<void> {
  const rows = await query<{ told: string }>(
    stack.ownerUrl,
    `select concat_ws(' ', rule.name, posted.key, found.problem) as told
     from lode.ledger_transaction posted join lode.ledger_type rule on rule.code = posted.type
     cross join lateral lode.find_reversal(posted.member, posted.key) found
     where found.problem is distinct from 'caused' limit 5`,
  )
  if (rows.length > 0)
    throw new Violation(`two operators could undo what really happened: ${rows.map(({ told }) => told).join('; ')}`)
}

/**
 * With everything repaired, lets enough time pass for every hold, quota, cap and review to end, so that everything open
 * can end. Days pass one by one with blocks between them, because the ledger falls behind a chain that stands still.
 * Some members pledge again and every day gets funding, so that no run ends without a dividend.
 */
async function waitUntilAllEnds(world: World, random: Random): Promise<void> {
  await pledgeOnline(world, Array.from(world.acknowledged.members).slice(0, FIRST_MEMBERS / 2), random)
  const open = await world.checker.openIds()
  await approveWaitingTransfer(world, (id) => open.has(id))
  for (let day = 1; day <= DAYS_TO_FINISH; day += 1) {
    await fundToday(world, random)
    await world.chain.mine(1)
    await moveClock(world, 86_400)
    await world.chain.mine(BLOCKS_TO_FINALITY)
    await waitUntilCaughtUp(world)
    await runMinutelyJobs(world)
    await sleep(WORKER_PAUSE_MS)
    await world.checker.check()
    await collect.run(world, random)
  }
  await waitUntil(world, 'has ended all transfers, orders, days and pledges', async () => {
    const open = await world.checker.unended()
    if (open.length > 0) {
      await runMinutelyJobs(world)
      await world.chain.mine(2)
      await sleep(WORKER_PAUSE_MS)
    }
    return open
  })
}

async function repairWhere(world: World, isDue: (repair: World['repairs'][number]) => boolean): Promise<void> {
  for (const due of world.repairs.filter(isDue)) {
    await due.repair()
    world.trace.log(`     ${due.what}`)
    world.repairs.splice(world.repairs.indexOf(due), 1)
  }
}

/** Waits a moment for the processes, and longer while the worker is behind and nothing prevents it from catching up. */
async function settle(world: World): Promise<void> {
  await sleep(WORKER_PAUSE_MS)
  const deadline = Date.now() + SETTLE_MS
  while (Date.now() < deadline && world.stack.worker.isUp && areAllNodesReachable(world) && !(await isCaughtUp(world)))
    await sleep(25)
}

export function violationIn(where: string, error: unknown): Error {
  const what =
    error instanceof Violation ? error.message : error instanceof Error ? (error.stack ?? error.message) : String(error)
  return new Violation(`in ${where}: ${what}`, { cause: error })
}
