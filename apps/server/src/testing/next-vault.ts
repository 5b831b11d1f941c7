import { poolVaultAbi } from '@lode/contracts'
import { vaultCreation } from '@lode/contracts/deploy'
import { deriveAddresses } from '@lode/contracts/dev/deploy'
import { type Address, createWalletClient, encodeFunctionData, getAddress, type Hex, http, parseUnits } from 'viem'
import type { TestPool } from './pool.ts'
import { waitForReceipt } from './wait-for-receipt.ts'

export type NextVault = {
  readonly address: Address
  /** The block in which it was deployed. */
  readonly since: bigint
  /** The terms file by which anybody can compare it. */
  readonly terms: Readonly<Record<string, unknown>>
}

const CAPS = { usdt: '500000', btn: '50000000', btc: '20', burn: '5000000' } as const

/** Deploys a vault for this pool, which follows the present one unless another predecessor is given. */
export async function deployNextVault(
  { anvil, client, contracts, keys, accountOf }: TestPool,
  predecessor: Address = contracts.vault,
): Promise<NextVault> {
  const { usdt, btn, btc } = contracts
  const { administrator, guardian, secondGuardian, payer, funder, quoteSigner, coldStorage } = deriveAddresses(keys)
  const roles = { administrator, guardian, secondGuardian, payer, funder, quoteSigner, coldStorage }
  const caps = {
    usdt: parseUnits(CAPS.usdt, 6),
    btn: parseUnits(CAPS.btn, 18),
    btc: parseUnits(CAPS.btc, 8),
    burn: parseUnits(CAPS.burn, 18),
  }
  const data = vaultCreation(btn, { usdt, btc, roles, caps, predecessor: { vault: predecessor, btn } })
  const account = accountOf('administrator')
  const hash = await createWalletClient({ account, transport: http(anvil.rpcUrl) }).sendTransaction({
    data,
    chain: null,
    gas: 8_000_000n,
  })
  const { contractAddress, blockNumber } = await waitForReceipt(client, hash)
  if (!contractAddress) throw new Error('the next vault was not deployed')
  const terms = { usdt, btc, roles, caps: CAPS, btnHolder: administrator, predecessor, acceptances: {} }
  return { address: getAddress(contractAddress), since: blockNumber, terms }
}

/** The three calls by which the administrator moves everything to the next vault. */
export const moveCalls = ({ contracts: { usdt, btn, btc } }: Pick<TestPool, 'contracts'>, next: Address): Hex[] =>
  [usdt, btn, btc].map((token) =>
    encodeFunctionData({ abi: poolVaultAbi, functionName: 'moveTo', args: [next, token] }),
  )
