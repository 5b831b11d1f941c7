import { setTimeout as sleep } from 'node:timers/promises'
import { createFirstMember } from '@lode/scripts/server'
import type { Address } from 'viem'
import { privateKeyToAddress } from 'viem/accounts'
import { Acknowledged } from './acknowledged.ts'
import { Checker } from './checker/check.ts'
import { makeActors } from './members/actor.ts'
import { drawPledge, type PledgeWish, pledge } from './members/pledge.ts'
import { promote } from './members/promotion.ts'
import { payQuote } from './members/purchase.ts'
import { signIn } from './members/sign-in.ts'
import { query } from './query.ts'
import { Random } from './random.ts'
import { BLOCKS_TO_FINALITY, type Chain } from './stack/chain.ts'
import { setDatabaseClock } from './stack/clock.ts'
import type { SimulatedDatabase } from './stack/database.ts'
import type { Operators } from './stack/operators.ts'
import { firstPlan } from './stack/plan.ts'
import { INITIAL_CLOCK_SHIFT, makePool } from './stack/pool.ts'
import { startStack } from './stack/stack.ts'
import type { Trace } from './trace.ts'
import { Violation, type World } from './world.ts'

export type WorldOptions = {
  readonly seed: number
  readonly database: SimulatedDatabase
  /** Created by the first seed that needs them. */
  readonly operatorsOf: (chain: Chain) => Promise<Operators>
  readonly trace: Trace
  readonly serverFolder: string
  /** Further variables of the server's processes. */
  readonly environment?: Readonly<Record<string, string>>
}

export const FIRST_MEMBERS = 6
/** Time to read and post everything after all repairs. */
const CONVERGE_MS = 60_000

/** Starts a pool with its chain, database and processes. Its first members are activated, and some have pledged. */
export async function openWorld(options: WorldOptions): Promise<{ world: World; close(): Promise<void> }> {
  const { seed, database, trace, serverFolder, environment = {} } = options
  const stops: (() => Promise<void>)[] = []
  const close = async (): Promise<void> => {
    for (const stop of stops.toReversed()) await stop().catch((error: unknown) => trace.log(`at the end: ${error}`))
  }
  try {
    const actors = makeActors(seed)
    const name = `sim_${seed}`
    const ownerUrl = await database.create(name)
    stops.push(() => database.drop(name))
    const pool = await makePool(actors)
    stops.push(() => pool.node.stop('SIGKILL'))
    await setDatabaseClock(ownerUrl, INITIAL_CLOCK_SHIFT)
    const root = privateKeyToAddress(new Random(seed, 'root').hex32())
    const rootCode = await createFirstMember(ownerUrl, root, serverFolder)
    const { node, chain } = pool
    const operators = await options.operatorsOf(chain)
    const ceremony = await operators.install(ownerUrl, chain)
    const stack = await startStack({
      node,
      chain,
      database,
      ownerUrl,
      trace,
      serverFolder,
      ceremony,
      environment,
    })
    stops.push(() => stack.stop())
    await Promise.all([stack.api.ready(), stack.worker.ready(), stack.signer.ready()])
    const situation = {
      stack,
      chain,
      pool,
      actors,
      operators,
      rootCode,
      trace,
      acknowledged: new Acknowledged(),
      clockShift: INITIAL_CLOCK_SHIFT,
      repairs: [],
      requestedTransfers: [],
      requestedOrders: [],
      plans: [firstPlan],
      memberWithFullTeam: null,
    }
    const world: World = Object.assign(situation, { checker: new Checker(situation) })
    for (const actor of new Random(seed, 'first members').shuffled(actors).slice(0, FIRST_MEMBERS))
      await signIn(world, actor)
    await promoteFirstMembers(world, new Random(seed, 'first pledges'))
    return { world, close }
  } catch (error) {
    await close()
    throw error
  }
}

/**
 * Gives the run members who can get rewards: all first members are activated, and the earliest are one level higher.
 * Usually some pledge too, so that there are dividends.
 */
async function promoteFirstMembers(world: World, random: Random): Promise<void> {
  const came = Array.from(world.acknowledged.members)
  await pledgeOnline(world, came.slice(0, random.between(0, FIRST_MEMBERS / 2)), random)
  for (const accounts of [came, came.slice(0, FIRST_MEMBERS / 2)]) {
    for (const account of accounts) {
      const actor = world.actors.find((each) => each.account === account)
      if (!actor) continue
      const wish = {
        method: 'online',
        oddity: 'none',
        share: 0,
        times: 1,
        key: `first-${world.requestedOrders.length}-${account}`,
      } as const
      const { order } = await promote(world, actor, wish)
      if (order?.quote) await payQuote(world, actor, order.quote)
    }
    await world.chain.mine(BLOCKS_TO_FINALITY + 2)
    await waitUntilCaughtUp(world)
  }
}

export async function pledgeOnline(world: World, accounts: readonly Address[], random: Random): Promise<void> {
  for (const actor of world.actors.filter(({ account }) => accounts.includes(account))) {
    const wish: PledgeWish = { ...drawPledge(random), method: 'online', oddity: 'none' }
    const { order } = await pledge(world, actor, wish)
    if (order?.quote) await payQuote(world, actor, order.quote)
  }
}

/** Waits until `objections` returns none. Throws a Violation after `CONVERGE_MS`. */
export async function waitUntil(
  world: World,
  what: string,
  objections: () => Promise<readonly unknown[]>,
  isLogged = true,
): Promise<void> {
  const deadline = Date.now() + CONVERGE_MS
  for (;;) {
    const left = await objections()
    if (left.length === 0) break
    if (Date.now() > deadline)
      throw new Violation(`${CONVERGE_MS / 1_000} s passed and never the worker ${what}: ${JSON.stringify(left)}`)
    await sleep(50)
  }
  if (isLogged) world.trace.log(`     the worker ${what}`)
}

/** Waits until the worker has posted the newest final block. */
export const waitUntilCaughtUp = (world: World, what = 'follows', isLogged = false): Promise<void> =>
  waitUntil(world, what, async () => ((await isCaughtUp(world)) ? [] : ['the posted block is behind']), isLogged)

export async function isCaughtUp({ chain, stack }: World): Promise<boolean> {
  const posted = await query<{ number: string }>(stack.ownerUrl, 'select posted_number as number from lode.chain_state')
  return posted[0] !== undefined && BigInt(posted[0].number) >= (await chain.finalized())
}
