import { setTimeout as sleep } from 'node:timers/promises'
import { btnTokenAbi, poolVaultAbi } from '@lode/contracts'
import { type Address, encodeFunctionData, type Hex } from 'viem'
import type { Random } from '../random.ts'
import { BLOCKS_TO_FINALITY } from '../stack/chain.ts'
import { runMinutelyJobs, simulatedNow } from '../stack/clock.ts'
import { type OperatorName, operatorNames } from '../stack/operators.ts'
import { funder } from '../stack/pool.ts'
import type { Command, World } from '../world.ts'

type Funding = { readonly day: number; readonly amount: bigint; readonly txid: Hex; readonly index: number }

export const fundingData = ({ day, amount, txid, index }: Funding): Hex =>
  encodeFunctionData({ abi: poolVaultAbi, functionName: 'fundDividend', args: [day, amount, { txid, index }] })

const sendFunding = (world: World, into: Address, funding: Funding): Promise<Hex> =>
  world.chain.send(funder, { to: into, data: fundingData(funding) })

/** Today by the chain's clock, which the vault uses. */
export async function readChainDay({ chain }: World): Promise<number> {
  return Number((await chain.client.getBlock()).timestamp / 86_400n)
}

const LEAST_HUGE = 2_000_001
const MOST_HUGE = 9_000_000

const drawFunding = (random: Random, present: number): Funding => ({
  // For today or the next day, late, and just outside of what the vault accepts.
  day: present + random.pick([0, 0, 0, 0, 0, 1, 1, -1, -1, -1, -2, -7, -8, 2]),
  amount: BigInt(random.pick([1, 7, random.between(8, 400_000), random.between(8, 400_000), 1_000_000])),
  txid: random.hex32(),
  index: random.between(0, 3),
})

/** Early, late, or for a closed day: each funding is shared out once, on its day or on a later one. */
export const fundDividend: Command = {
  name: 'fund the dividend',
  weight: 14,
  async run(world, random) {
    const present = await readChainDay(world)
    const funding = drawFunding(random, present)
    const isHuge = random.chance(0.15)
    const amount = isHuge ? BigInt(random.between(LEAST_HUGE, MOST_HUGE)) : funding.amount
    await sendFunding(world, world.chain.contracts.vault, { ...funding, amount })
    return `the funder brings ${amount} BTC for a day, ${funding.day - present} from today`
  },
}

/** In time, and so small that no day has to wait. */
export async function fundToday(world: World, random: Random): Promise<Hex> {
  const funding = { amount: BigInt(random.between(1_000, 9_999)), txid: random.hex32(), index: 0 }
  return sendFunding(world, world.chain.contracts.vault, { ...funding, day: await readChainDay(world) })
}

/** The same Bitcoin output a second time, which is no funding, and events that only look like a funding. */
export const fundWrongly: Command = {
  name: 'fund the dividend wrongly',
  weight: 5,
  async run(world, random) {
    const { vault, usdt, btc } = world.chain.contracts
    const how = random.pick(['twice', 'in two days', 'elsewhere', 'without saying so', 'by somebody else'] as const)
    const funding = { ...drawFunding(random, await readChainDay(world)), day: await readChainDay(world) }
    const actor = random.pick(world.actors)
    switch (how) {
      case 'twice':
        for (let time = 0; time < 2; time += 1) await sendFunding(world, vault, funding)
        break
      case 'in two days':
        for (const day of [funding.day - 1, funding.day]) await sendFunding(world, vault, { ...funding, day })
        break
      case 'elsewhere':
        await sendFunding(world, world.pool.foreignVault, funding)
        break
      case 'without saying so': {
        const token = random.pick([usdt, btc])
        const args = [vault, funding.amount] as const
        const data = encodeFunctionData({ abi: btnTokenAbi, functionName: 'transfer', args })
        await world.chain.send(funder, { to: token, data })
        break
      }
      case 'by somebody else': {
        await world.chain.send(actor.key, { to: vault, data: fundingData(funding) })
        break
      }
    }
    return `${funding.amount} BTC are brought for today, ${how}`
  },
}

/** More than the daily limit: the day waits for two operators, and one, both or none of them sign. */
export const fundHugely: Command = {
  name: 'fund more than a day lets in',
  weight: 6,
  async run(world, random) {
    const [amount, txid] = [BigInt(random.between(LEAST_HUGE, MOST_HUGE)), random.hex32()]
    const names = random.shuffled(operatorNames).slice(0, random.pick([0, 1, 2, 2]))
    const day = dayToClose(world)
    await sendFunding(world, world.chain.contracts.vault, { day, amount, txid, index: 0 })
    await world.chain.mine(BLOCKS_TO_FINALITY + 2)
    await sleep(POSTING_TIME_MS)
    await runMinutelyJobs(world)
    await sleep(POSTING_TIME_MS)
    return `the funder brings ${amount} BTC for one day; ${await approveByOperators(world, names, day)}`
  },
}

/** Time for the worker to post the funding and to close the days before. */
const POSTING_TIME_MS = 250

/** The day that is next to close, if nothing has delayed those before it. */
function dayToClose(world: World): number {
  const now = simulatedNow(world)
  const hour = world.plans.at(-1)?.closeHour ?? 12
  return Math.floor(now / 86_400) - (now % 86_400 < hour * 3_600 ? 1 : 0)
}

async function approveByOperators(world: World, names: readonly OperatorName[], day: number): Promise<string> {
  const said: string[] = []
  for (const name of names) {
    const refusal = await world.operators.approveDay(world, name, day)
    said.push(`${name}${refusal === null ? '' : ` (${refusal})`}`)
  }
  return `day ${day} is approved by ${said.join(' and ') || 'nobody'}`
}

/** The day may be below its limit, above it, or already closed. */
export const approveDay: Command = {
  name: 'approve a day',
  weight: 3,
  async run(world, random) {
    const day = dayToClose(world) - random.pick([0, 0, 0, 1, 2, 3])
    const names = random.shuffled(operatorNames).slice(0, random.pick([1, 2, 2, 2]))
    return approveByOperators(world, names, day)
  },
}
