import { poolVaultAbi } from '@lode/contracts'
import { nextDevelopmentVault } from '@lode/contracts/dev/deploy'
import { type Address, encodeFunctionData, getAddress, type Hex } from 'viem'
import { sendCalls } from '../members/wallet.ts'
import type { World } from '../world.ts'
import { administrator, approval, funder } from './pool.ts'

export type NextVault = {
  readonly address: Address
  /** The block in which it was deployed. */
  readonly since: bigint
  /** The terms file by which the operators compare it. */
  readonly terms: Readonly<Record<string, unknown>>
}

/** Deploys a vault that follows the present one. Everybody who pays in gives it an allowance. */
export async function deployNextVault(world: World): Promise<NextVault> {
  const { chain, actors } = world
  const { usdt, btn, btc } = chain.contracts
  const { creation, terms } = nextDevelopmentVault(chain.contracts)
  const hash = await chain.send(administrator, { data: creation, gas: 8_000_000n })
  await chain.mine(1)
  const { contractAddress, blockNumber } = await chain.client.getTransactionReceipt({ hash })
  if (!contractAddress) throw new Error('the next vault was not deployed')
  const address = getAddress(contractAddress)
  for (const actor of actors)
    await sendCalls(
      world,
      actor,
      [usdt, btn, btc].map((target) => ({ target, data: approval(address) })),
    )
  for (const token of [btn, btc]) await chain.send(funder, { to: token, data: approval(address) })
  await chain.mine(1)
  return { address, since: blockNumber, terms }
}

/** The calls by which the administrator moves each token to the next vault. */
export const moveCalls = ({ chain }: World, next: Address): Hex[] =>
  [chain.contracts.usdt, chain.contracts.btn, chain.contracts.btc].map((token) =>
    encodeFunctionData({ abi: poolVaultAbi, functionName: 'moveTo', args: [next, token] }),
  )
