import { resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { poolVaultAbi } from '@lode/contracts'
import { type Asset, assets } from '@lode/kernel'
import { createFirstMember, runLode } from '@lode/scripts/server'
import { encodeFunctionData, parseUnits } from 'viem'
import { privateKeyToAddress } from 'viem/accounts'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { Acknowledged } from '../sim/acknowledged.ts'
import { Checker } from '../sim/checker/check.ts'
import { type Actor, makeActors } from '../sim/members/actor.ts'
import { signIn } from '../sim/members/sign-in.ts'
import { cancelTransfer, transferOut } from '../sim/members/transfer.ts'
import { Random } from '../sim/random.ts'
import { BLOCKS_TO_FINALITY } from '../sim/stack/chain.ts'
import { moveClock, setDatabaseClock } from '../sim/stack/clock.ts'
import { DatabaseServer } from '../sim/stack/database.ts'
import { type FaultPoint, payoutFaultPoints } from '../sim/stack/fault-points.ts'
import { Operators, operatorNames } from '../sim/stack/operators.ts'
import { firstPlan } from '../sim/stack/plan.ts'
import { INITIAL_CLOCK_SHIFT, makePool, payer } from '../sim/stack/pool.ts'
import { startStack } from '../sim/stack/stack.ts'
import { Trace } from '../sim/trace.ts'
import type { World } from '../sim/world.ts'

/** How many payouts are interrupted: a sample by default, two hundred in `pnpm deep`. */
const RUNS = Number(process.env.PAYOUT_CRASHES ?? 10)

/** The server folder. Set PAYOUT_SERVER to another `apps/server` to analyze a failure. */
const ourServer = resolve(process.env.PAYOUT_SERVER ?? resolve(import.meta.dirname, '../../apps/server'))
const log = resolve(import.meta.dirname, '../../artifacts/sim/payout-crash.log')
const TIMEOUT_MS = 45_000

/**
 * What dies when a process reaches the point: that process itself, or another one while the process is stopped there.
 */
const victims = ['itself', 'PostgreSQL', 'the node', 'the others'] as const
type Victim = (typeof victims)[number]
type Crash = { readonly point: FaultPoint; readonly victim: Victim }

/** Every victim at every point. A sample contains some of each. */
const crashes: readonly Crash[] = new Random('payout crash')
  .shuffled(payoutFaultPoints.flatMap((point) => victims.map((victim) => ({ point, victim }))))
  .toSorted((one, other) => victims.indexOf(one.victim) - victims.indexOf(other.victim))
  .map((death, place, all) => ({ death, place: place % (all.length / victims.length) }))
  .toSorted((one, other) => one.place - other.place)
  .map(({ death }) => death)

const trace = new Trace(process.env.PAYOUT_TRACE !== undefined)
const stops: (() => Promise<unknown>)[] = []
let world: World
let members: readonly Actor[]

beforeAll(async () => {
  const database = await DatabaseServer.start(ourServer)
  stops.push(() => database.stop())
  const ownerUrl = await database.create('payout_crash')
  const actors = makeActors(4)
  const pool = await makePool(actors)
  stops.push(() => pool.node.stop('SIGKILL'))
  await setDatabaseClock(ownerUrl, INITIAL_CLOCK_SHIFT)
  const { node, chain } = pool
  const rootCode = await createFirstMember(ownerUrl, privateKeyToAddress(new Random('root').hex32()), ourServer)
  const operators = await Operators.begin(chain, ourServer)
  stops.push(() => operators.end())
  const ceremony = await operators.install(ownerUrl, chain)
  const { contracts } = chain
  const stack = await startStack({ node, chain, database, ownerUrl, trace, serverFolder: ourServer, ceremony })
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
  world = Object.assign(situation, { checker: new Checker(situation) })
  members = actors.filter(({ kind }) => kind === 'plain')
  for (const member of members) {
    await signIn(world, member)
    for (const [token, amount] of [
      [contracts.usdt, parseUnits('4000', 6)],
      [contracts.btn, parseUnits('400000', 18)],
      [contracts.btc, parseUnits('0.4', 8)],
    ] as const) {
      const data = encodeFunctionData({ abi: poolVaultAbi, functionName: 'deposit', args: [token, amount] })
      await chain.send(member.key, { to: contracts.vault, data })
    }
  }
  await chain.mine(BLOCKS_TO_FINALITY + 2)
}, 600_000)
afterEach(({ task }) => {
  const [failure] = task.result?.errors ?? []
  if (failure) trace.save(log, failure.message)
})
afterAll(async () => {
  for (const stop of stops.toReversed()) await stop()
}, 60_000)

it(`pays each transfer once in ${RUNS} runs, each with a crash at another point`, { timeout: 7_200_000 }, async () => {
  const unreached: string[] = []
  for (let run = 0; run < RUNS; run += 1) {
    const death = crashes[run % crashes.length]
    if (!death) throw new Error('there is no crash to run')
    const name = `run ${run + 1}: ${death.victim} at ${death.point}`
    trace.log(name)
    if (run % 20 === 19) await moveClock(world, 86_400)
    await arm(death)
    const ids = await runTransfers(death, run).catch((error: unknown) => {
      throw new Error(`${name}: ${error instanceof Error ? error.message : error}`, { cause: error })
    })
    if ((await world.stack.armed()).length > 0) unreached.push(name)
    await world.stack.disarmFaults()
    await Promise.all([world.stack.api, world.stack.worker, world.stack.signer].map((process) => process.ready()))
    const { payouts } = await world.checker.check()
    const ended = payouts.filter(({ id }) => ids.includes(id)).map((payout) => payout.ended)
    const expected = isDecisionPoint(death.point) ? ['rejected'] : ids.map(() => 'final')
    expect({ name, ended }).toEqual({ name, ended: expected })
  }
  expect(unreached).toEqual([])
  expect(await world.checker.unended()).toEqual([])
  await runLode(world.stack.ownerUrl, ['audit'], ourServer)
})

describe('a transfer', { timeout: 120_000 }, () => {
  it('is either canceled or paid if its member cancels it while the signer signs', async () => {
    const [actor] = members
    if (!actor) throw new Error('there are no members')
    for (const [point, expected] of [
      ['signer:before-store', 'too late'],
      ['signer:after-store', 'too late'],
      ['signer:before-send', 'too late'],
    ] as const) {
      const standing = Promise.withResolvers<void>()
      const cancelling = Promise.withResolvers<void>()
      // The cancellation waits for the row lock of the signer, so the signer continues a moment after the cancellation
      // began.
      await world.stack.armStop(point, async () => {
        standing.resolve()
        await cancelling.promise
      })
      const [id = ''] = await makeTransfers([actor], 'USDT', 'least')
      await standing.promise
      const cancelled = cancelTransfer(world, actor, id, new Random('cancel', point).hex32().slice(2, 34))
      await sleep(300)
      cancelling.resolve()
      expect({ point, cancelled: await cancelled }).toEqual({ point, cancelled: expected })
      await waitUntilEnded([id])
      const { payouts } = await world.checker.check()
      expect(payouts.find((payout) => payout.id === id)?.ended).toBe('final')
    }
  })

  it('is paid even if the clock moves a day back or a day ahead after the request', async () => {
    for (const seconds of [-86_400, 86_400]) {
      await world.stack.signer.kill()
      const ids = await makeTransfers(members.slice(1, 3), 'USDT', 'least')
      await setClock(world.clockShift + seconds)
      world.stack.signer.start()
      await waitUntilEnded(ids)
      // Restores the clock: a day earlier the plan had not started, and no transfer could be requested.
      await setClock(world.clockShift - seconds)
      const { payouts } = await world.checker.check()
      expect(payouts.filter(({ id }) => ids.includes(id)).map(({ ended }) => ended)).toEqual(['final', 'final'])
    }
  })
})

async function setClock(shift: number): Promise<void> {
  await setDatabaseClock(world.stack.ownerUrl, shift)
  world.clockShift = shift
}

async function arm({ point, victim }: Crash): Promise<void> {
  const { stack } = world
  switch (victim) {
    case 'itself':
      return stack.armFault(point)
    case 'PostgreSQL':
      return stack.armStop(point, () => stack.database.crash('killed'))
    case 'the node':
      return stack.armStop(point, loseNode)
    case 'the others':
      return stack.armStop(point, () => killOtherProcesses(point))
  }
}

/** What a killed node loses: its connections and its pending transactions. It finds its chain again. */
async function loseNode(): Promise<void> {
  for (const line of world.stack.nodeProxies) line.mode = 'refuses'
  await world.chain.request('anvil_dropAllTransactions')
  // A stopped process finds the node missing when it continues.
  void sleep(400).then(() => {
    for (const line of world.stack.nodeProxies) line.mode = 'works'
  })
}

async function killOtherProcesses(point: FaultPoint): Promise<void> {
  const { api, worker, signer } = world.stack
  const others = [api, worker, signer].filter(({ name }) => !point.startsWith(name))
  await Promise.all(others.map((process) => process.kill()))
  for (const process of others) process.start()
}

const isBumpPoint = (point: FaultPoint): boolean => point.endsWith('-bump')
const isDecisionPoint = (point: FaultPoint): boolean => point.endsWith('-apply-decision')

/** Makes two members' transfers, or one that is rejected, and waits until they have ended. Returns their ids. */
async function runTransfers({ point }: Crash, run: number): Promise<string[]> {
  const asset = assets[run % assets.length] ?? 'USDT'
  const who = [members[run % members.length], members[(run + 3) % members.length]].filter((one) => one !== undefined)
  if (isDecisionPoint(point)) {
    const [id = ''] = await makeTransfers(who.slice(0, 1), asset, 'reviewed')
    for (const name of operatorNames.slice(0, 1)) {
      world.acknowledged.rejections.add(id)
      await world.operators.decide(world.stack.ownerUrl, name, ['reject', id, 'a run'])
    }
    await waitUntilEnded([id])
    return [id]
  }
  const ids = await makeTransfers(who, asset, 'least')
  if (isBumpPoint(point)) await raiseFeeAboveOffer()
  await waitUntilEnded(ids)
  return ids
}

async function makeTransfers(who: readonly Actor[], symbol: Asset, size: 'least' | 'reviewed'): Promise<string[]> {
  const orders = who.map(async (actor) => {
    const key = new Random('key', world.requestedTransfers.length, actor.name).hex32().slice(2, 34)
    const { id, told } = await transferOut(world, actor, { symbol, size, times: 1, key })
    if (id === null) throw new Error(told)
    return id
  })
  return Promise.all(orders)
}

/** Raises the block fee above the payer's offer, once the payer has sent it. */
async function raiseFeeAboveOffer(): Promise<void> {
  const deadline = Date.now() + TIMEOUT_MS
  while (!(await isPayerWaiting())) {
    if (Date.now() > deadline) throw new Error('the payer sends nothing')
    await sleep(20)
  }
  const dear = parseUnits('500', 9)
  await world.chain.request('anvil_setNextBlockBaseFeePerGas', [`0x${dear.toString(16)}`])
  await world.chain.mine(1)
  await sleep(1_500)
}

async function isPayerWaiting(): Promise<boolean> {
  type Pool = Record<'pending' | 'queued', Record<string, unknown>>
  const { pending, queued } = (await world.chain.request('txpool_content')) as Pool
  return [pending, queued].some((part) =>
    Object.keys(part).some((from) => from.toLowerCase() === payer.address.toLowerCase()),
  )
}

async function waitUntilEnded(ids: readonly string[]): Promise<void> {
  const deadline = Date.now() + TIMEOUT_MS
  for (;;) {
    const open = await world.checker.openOf(ids).catch(() => ids)
    if (open.length === 0) return
    if (Date.now() > deadline) throw new Error(`still open: ${open.join('; ')}`)
    await world.chain.mine(2)
    await sleep(60)
  }
}
