import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { poolVaultAbi } from '@lode/contracts'
import { type Address, encodeFunctionData, parseGwei } from 'viem'
import { waitUntilCaughtUp } from '../open-world.ts'
import { query } from '../query.ts'
import type { Random } from '../random.ts'
import { endFaults } from '../run-seed.ts'
import { BLOCKS_TO_FINALITY } from '../stack/chain.ts'
import { moveClock } from '../stack/clock.ts'
import { deployNextVault, moveCalls, type NextVault } from '../stack/next-vault.ts'
import { administrator, NOTICE_SECONDS } from '../stack/pool.ts'
import { endByTwo, mineUntil, readReadiness, waitForReadiness } from '../stops/stop.ts'
import { Violation, type World } from '../world.ts'
import { finishOrders, putOnItsWay, sendLate, tryOldVault } from './on-its-way.ts'
import type { traffic } from './traffic.ts'

export type Migrated = { readonly old: Address; readonly next: NextVault }

/**
 * Carries the pool to the next vault as docs/next-vault.md says, with everything on its way. `runTraffic` runs random
 * steps of members, before the move and while the pool waits for the operators.
 */
export async function migrate(
  world: World,
  random: Random,
  runTraffic: (phase: keyof typeof traffic) => Promise<void>,
): Promise<Migrated> {
  const { chain, trace } = world
  const old = chain.contracts.vault
  const next = await deployNextVault(world)
  await announceMoves(world, next)
  trace.log(`migration: the next vault is ${next.address}, and the move is announced`)
  await runTraffic('beforeMove')
  await endFaults(world)
  await moveClock(world, NOTICE_SECONDS)
  const onItsWay = await putOnItsWay(world, next, random)
  await moveEverything(world, next, random)
  await tryOldVault(world, onItsWay, random)
  await chain.mine(BLOCKS_TO_FINALITY + 2)
  await waitForReadiness(world, world.stack.worker, new RegExp(`moved to ${next.address}`))
  await waitForReadiness(world, world.stack.signer, /the vault is paused/)
  await world.checker.check()
  trace.log('migration: the vault has moved, and the pool waits for the operators')
  await runTraffic('whileWaiting')
  await endFaults(world)
  await followNextVault(world, next, random)
  await sendLate(world)
  await finishOrders(world, onItsWay)
  await world.checker.check()
  trace.log('migration: the pool works with the next vault')
  return { old, next }
}

export async function announceMoves(world: World, { address }: Pick<NextVault, 'address'>): Promise<void> {
  const { chain } = world
  const [to] = chain.vaults
  if (!to) throw new Error('there is no vault')
  for (const call of moveCalls(world, address)) {
    const data = encodeFunctionData({ abi: poolVaultAbi, functionName: 'announce', args: [call] })
    await chain.send(administrator, { to, data })
  }
  // A random step must not reorganize them away.
  await chain.mine(BLOCKS_TO_FINALITY)
}

/**
 * Moves everything in one block, before or after all else that waits for a block. Sometimes that block is replaced, and
 * what was lost is sent again.
 */
async function moveEverything(world: World, { address }: NextVault, random: Random): Promise<void> {
  const { chain, trace } = world
  const { vault } = chain.contracts
  const isFirst = random.chance(0.5)
  const depth = random.pick([0, 1, 2])
  for (const data of moveCalls(world, address))
    await chain.send(administrator, { to: vault, data, tip: isFirst ? parseGwei('90') : 1n })
  await chain.mine(1)
  trace.log(`migration: the vault moves, ${isFirst ? 'before' : 'after'} everything else in its block`)
  if (depth > 0) trace.log(`     the last ${depth} blocks are replaced: ${await chain.reorganize(depth, random)}`)
  await chain.mine(1)
  const events = await chain.client.getContractEvents({
    address: vault,
    abi: poolVaultAbi,
    eventName: 'MovedToSuccessor',
    fromBlock: chain.contracts.firstBlock,
  })
  const { usdt, btn, btc } = chain.contracts
  const moved = new Set(events.map(({ args }) => args.token?.toLowerCase()))
  const calls = moveCalls(world, address)
  for (const [place, token] of [usdt, btn, btc].entries())
    if (!moved.has(token.toLowerCase())) await chain.send(administrator, { to: vault, data: calls[place] ?? '0x' })
  await chain.mine(1)
}

/** Two operators decide, and every process gets the new settings: in either order. Then the operators get them too. */
async function followNextVault(world: World, next: NextVault, random: Random): Promise<void> {
  const { chain, stack, trace } = world
  const { api, worker, signer, otherWorker, otherSigner } = stack
  const changeSettings = async () => {
    await Promise.all([api, worker, signer, otherWorker, otherSigner].map((process) => process.kill()))
    chain.follow(next.address)
    worker.start()
  }
  const isDecisionFirst = random.chance(0.5)
  trace.log(`migration: first ${isDecisionFirst ? 'the decision' : 'the settings'}`)
  if (!isDecisionFirst) await changeSettings()
  await decide(world, next, random)
  if (isDecisionFirst) {
    await waitForReadiness(world, worker, new RegExp(`the ledger belongs to vault ${next.address}`))
    await changeSettings()
  }
  world.operators.changeSettings(chain)
  await waitForReadiness(world, worker, /"ready"/)
  await Promise.all([api.ready(), worker.ready(), signer.ready()])
  await waitUntilCaughtUp(world)
  await world.checker.check()
  // What it signed before goes into a block of the next vault.
  await mineUntil(world, 'lets the signer pay again', async () =>
    (await readReadiness(signer)).includes('"ready"') ? [] : [await readReadiness(signer)],
  )
}

async function decide(world: World, { address, since, terms }: NextVault, random: Random): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'lode-sim-terms-'))
  try {
    const file = join(folder, 'terms.json')
    await writeFile(file, JSON.stringify(terms))
    const nodes = world.stack.nodeProxies.map(({ rpcUrl }, place) => `node${place}=${rpcUrl}`).join(',')
    const options = ['--since', String(since), '--terms', file, '--chain', nodes]
    await endByTwo(world, random, {
      args: ['vault', 'migrate', address, 'a fault was found in the vault', ...options],
      isStopped: async () => (await readVaultOfLedger(world)) !== address.toLowerCase(),
    })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function readVaultOfLedger({ stack }: World): Promise<string> {
  const [row] = await query<{ vault: Buffer }>(stack.ownerUrl, 'select vault from lode.chain_state')
  if (!row) throw new Violation('the ledger has not begun')
  return `0x${row.vault.toString('hex')}`
}
