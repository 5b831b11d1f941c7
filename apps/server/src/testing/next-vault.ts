import { poolVaultAbi } from '@lode/contracts'
import { nextDevelopmentVault } from '@lode/contracts/dev/deploy'
import { type Address, createWalletClient, encodeFunctionData, getAddress, type Hex, http } from 'viem'
import type { TestPool } from './pool.ts'
import { waitForReceipt } from './wait-for-receipt.ts'

export type NextVault = {
  readonly address: Address
  /** The block in which it was deployed. */
  readonly since: bigint
  /** The terms file by which anybody can compare it. */
  readonly terms: Readonly<Record<string, unknown>>
}

/** Deploys a vault for this pool, which follows the present one unless another predecessor is given. */
export async function deployNextVault(
  { anvil, client, contracts, keys, accountOf }: TestPool,
  predecessor: Address = contracts.vault,
): Promise<NextVault> {
  const { creation, terms } = nextDevelopmentVault(contracts, { keys, predecessor })
  const account = accountOf('administrator')
  const hash = await createWalletClient({ account, transport: http(anvil.rpcUrl) }).sendTransaction({
    data: creation,
    chain: null,
    gas: 8_000_000n,
  })
  const { contractAddress, blockNumber } = await waitForReceipt(client, hash)
  if (!contractAddress) throw new Error('the next vault was not deployed')
  return { address: getAddress(contractAddress), since: blockNumber, terms }
}

/** The three calls by which the administrator moves everything to the next vault. */
export const moveCalls = ({ contracts: { usdt, btn, btc } }: Pick<TestPool, 'contracts'>, next: Address): Hex[] =>
  [usdt, btn, btc].map((token) =>
    encodeFunctionData({ abi: poolVaultAbi, functionName: 'moveTo', args: [next, token] }),
  )
