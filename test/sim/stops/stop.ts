import { setTimeout as sleep } from 'node:timers/promises'
import type { Asset } from '@lode/kernel'
import type { Actor } from '../members/actor.ts'
import { waitUntil } from '../open-world.ts'
import { query } from '../query.ts'
import type { Random } from '../random.ts'
import { runJob } from '../stack/clock.ts'
import { type OperatorName, operatorNames } from '../stack/operators.ts'
import type { SupervisedProcess } from '../stack/supervised-process.ts'
import { Violation, type World } from '../world.ts'

/** One kind of stop: how it comes, what stands still meanwhile, and how it ends. */
export type Stop = {
  /** The first cell of its row in the table "Every stop, and the command that ends it" of docs/operations.md. */
  readonly name: string
  /** How the simulator provokes it. */
  readonly how: string
  /** The assets whose credits and payouts stand still. Those of the other assets must go on meanwhile. */
  readonly credits: readonly Asset[]
  readonly payouts: readonly Asset[]
  /** Whether the random seeds may draw it. The others restart processes, let days pass or wait until a claim counts. */
  readonly isQuick: boolean
  /** Makes the pool stop. Resolves when the stop is in force, with the function that ends it as the table says. */
  begin(world: World, random: Random, member: Actor): Promise<() => Promise<void>>
}

export const NONE: readonly Asset[] = []

/** Why the watcher or an asset is stopped. */
export async function readStops({ stack }: World): Promise<string[]> {
  const rows = await query<{ reason: string }>(
    stack.ownerUrl,
    `select stopped_reason as reason from lode.chain_state where stopped_reason is not null
     union all select asset || ': ' || reason from lode.asset_stop`,
  )
  return rows.map(({ reason }) => reason)
}

/** Waits until the watcher or an asset is stopped for this reason, and for no other. */
export async function waitForStop(world: World, reason: RegExp): Promise<void> {
  await waitUntil(world, `stops because ${reason.source}`, async () =>
    (await readStops(world)).length > 0 ? [] : ['it is not stopped'],
  )
  const stops = await readStops(world)
  if (stops.length !== 1 || !reason.test(stops[0] ?? '')) throw new Violation(`it stopped because ${stops.join('; ')}`)
}

/** Everything that the process answers at /readyz. */
export async function readReadiness({ url }: SupervisedProcess): Promise<string> {
  try {
    return await (await fetch(`${url}/readyz`)).text()
  } catch {
    return 'no answer'
  }
}

/** Waits until the process says this at /readyz. */
export async function waitForReadiness(world: World, process: SupervisedProcess, said: RegExp): Promise<void> {
  const objections = async () => {
    const text = await readReadiness(process)
    return said.test(text) ? [] : [`the ${process.name} says ${text}`]
  }
  await waitUntil(world, `lets the ${process.name} say ${said.source}`, objections, false)
  world.trace.log(`     the ${process.name} says: ${said.source}`)
}

/**
 * Waits until the signer is ready. It pays at once what waits, and while no block takes that it says so. So blocks are
 * mined meanwhile.
 */
export const waitUntilSignerIsReady = (world: World): Promise<void> =>
  mineUntil(world, 'lets the signer be ready', async () => {
    const text = await readReadiness(world.stack.signer)
    return text.includes('"ready"') ? [] : [`the signer says ${text}`]
  })

type TwoOperators = {
  readonly args: readonly string[]
  /** Whether what they decide is not done yet: the stop that they end is still in force. */
  readonly isStopped: () => Promise<boolean>
}

/** Two operators sign in a random order. The first signature alone ends nothing. */
export async function endByTwo(world: World, random: Random, { args, isStopped }: TwoOperators): Promise<void> {
  const { ownerUrl } = world.stack
  const [first, second] = random.shuffled<OperatorName>(operatorNames)
  if (!first || !second) throw new Error('there are too few operators')
  await world.operators.sign(ownerUrl, first, args)
  await runJob(world, 'apply-decisions')
  if (!(await isStopped())) throw new Violation(`${first} alone ended it with lode ${args.join(' ')}`)
  await world.operators.sign(ownerUrl, second, args)
  await waitUntil(world, `obeys lode ${args.slice(0, 2).join(' ')} of ${first} and ${second}`, async () =>
    (await isStopped()) ? ['it is still stopped'] : [],
  )
}

/** Two operators end the stop of the watcher, or of the asset. */
export const resumeByTwo = (world: World, random: Random, symbol?: Asset): Promise<void> =>
  endByTwo(world, random, {
    args: ['chain', 'resume', 'the cause is found', ...(symbol === undefined ? [] : ['--symbol', symbol])],
    isStopped: async () => (await readStops(world)).length > 0,
  })

const MINING_PAUSE_MS = 90

/** Mines blocks until nothing objects, as time goes on for a pool that works. */
export const mineUntil = (world: World, what: string, objections: () => Promise<readonly unknown[]>): Promise<void> =>
  waitUntil(
    world,
    what,
    async () => {
      const left = await objections()
      if (left.length > 0) {
        await world.chain.mine(2)
        await sleep(MINING_PAUSE_MS)
      }
      return left
    },
    false,
  )
