import { poolVaultAbi } from '@lode/contracts'
import {
  type Address,
  encodeAbiParameters,
  encodeFunctionData,
  type Hex,
  keccak256,
  parseEventLogs,
  zeroHash,
} from 'viem'
import { fundingData, readChainDay } from '../commands/fund-dividend.ts'
import { funder, payer } from '../stack/pool.ts'
import { Violation, type World } from '../world.ts'
import type { Migrated } from './migrate.ts'

type Payout = { readonly id: Hex; readonly token: Address; readonly to: Address; readonly amount: bigint }
type Call = { readonly from: Address; readonly data: Hex }

/** What one vault paid, burned and took as evidence, by its events. */
async function readUsed({ chain }: World, address: Address) {
  const read = { address, abi: poolVaultAbi, fromBlock: chain.contracts.firstBlock, strict: true } as const
  const [payouts, burns, fundings] = await Promise.all([
    chain.client.getContractEvents({ ...read, eventName: 'PayoutReleased' }),
    chain.client.getContractEvents({ ...read, eventName: 'Burned' }),
    chain.client.getContractEvents({ ...read, eventName: 'DividendFunded' }),
  ])
  return {
    payouts: payouts.map(({ args }) => args),
    burns: burns.map(({ args }) => args),
    outputs: fundings.map(({ args: { txid, outputIndex, amount } }) => ({ txid, index: outputIndex, amount })),
  }
}

/**
 * Lets payer and funder try everything once more, in the next vault, that the old vault has paid, burned or taken as
 * evidence. The node only computes these calls, so nothing is left of them on the chain.
 */
export async function checkUsedIds(world: World, { old, next }: Migrated): Promise<string> {
  const [before, after] = [await readUsed(world, old), await readUsed(world, next.address)]
  const told = [before.payouts, after.payouts, before.outputs].map(({ length }) => length)
  if (told.includes(0)) throw new Violation(`the rehearsal shows nothing: ${told.join(', ')} payouts and fundings`)
  for (const payout of before.payouts)
    if ((await countPaid(world, next.address, [payout])) > 0)
      throw new Violation(`the next vault pays ${payout.id} again, which the old vault has paid`)
  const day = await readChainDay(world)
  for (const output of before.outputs)
    for (const txid of [output.txid, reversed(output.txid)])
      if (await works(world, next.address, { from: funder.address, data: fundingData({ day, ...output, txid }) }))
        throw new Violation(`the next vault takes the output ${output.txid}:${output.index} again`)
  for (const { burnId, amount } of before.burns) {
    const data = encodeFunctionData({ abi: poolVaultAbi, functionName: 'burn', args: [amount, burnId] })
    if (await works(world, next.address, { from: payer.address, data }))
      throw new Violation(`the next vault burns ${burnId} again`)
  }
  await checkNewIdsWork(world, next.address, before, day)
  return (
    `${told[0]} payouts by the old vault and ${told[1]} by the next one, which refuses the ids of the former, ` +
    `${told[2]} Bitcoin outputs and ${before.burns.length} burns`
  )
}

/** The same calls with an id or an output that nobody has used do work. So the refusals are not for another reason. */
async function checkNewIdsWork(
  world: World,
  vault: Address,
  { payouts, outputs }: Awaited<ReturnType<typeof readUsed>>,
  day: number,
): Promise<void> {
  const anew = payouts.map((payout) => ({ ...payout, id: keccak256(payout.id) }))
  if ((await countPaid(world, vault, anew)) === 0) throw new Violation('the next vault pays nothing at all')
  const [output] = outputs
  if (!output) return
  const data = fundingData({ day, ...output, txid: keccak256(output.txid) })
  if (!(await works(world, vault, { from: funder.address, data })))
    throw new Violation('the next vault takes no funding at all')
}

async function countPaid(world: World, vault: Address, payouts: readonly Payout[]): Promise<number> {
  const data = encodeFunctionData({ abi: poolVaultAbi, functionName: 'release', args: [payouts] })
  const { status, logs = [] } = await compute(world, vault, { from: payer.address, data })
  if (status !== 'success') throw new Violation('the next vault refuses a release as a whole')
  return parseEventLogs({ abi: poolVaultAbi, eventName: 'PayoutReleased', logs }).length
}

const works = async (world: World, vault: Address, call: Call): Promise<boolean> =>
  (await compute(world, vault, call)).status === 'success'

async function compute({ chain }: World, to: Address, { from, data }: Call) {
  const [block] = await chain.client.simulateBlocks({ blocks: [{ calls: [{ from, to, data, gas: 15_000_000n }] }] })
  const result = block?.calls[0]
  if (!result) throw new Error('the node computes no call')
  return result
}

const reversed = (txid: Hex): Hex => `0x${Buffer.from(txid.slice(2), 'hex').reverse().toString('hex')}`

const FLAG_SET = `0x${'1'.padStart(64, '0')}`

/** A planted fault, to show that `checkUsedIds` finds it: the old vault forgets every id that it has paid. */
export async function forgetPaidIds(world: World, { old }: Migrated): Promise<void> {
  const { payouts } = await readUsed(world, old)
  for (const { id } of payouts)
    for (let mapping = 0n; mapping < 64n; mapping += 1n) {
      const types = [{ type: 'bytes32' }, { type: 'uint256' }] as const
      const slot = keccak256(encodeAbiParameters(types, [id, mapping]))
      if ((await world.chain.client.getStorageAt({ address: old, slot })) === FLAG_SET)
        await world.chain.request('anvil_setStorageAt', [old, slot, zeroHash])
    }
}
