import { type Address, encodeDeployData } from 'viem'
import { btnTokenAbi, btnTokenBytecode, poolVaultAbi, poolVaultBytecode } from '../generated/index.ts'
import type { Pipeline } from './pipeline.ts'

/** The account of each role. No account should have two roles: a thief would need one key less. */
export type PoolRoles = {
  /** Lowers caps and dismisses keys at once, anything graver after two days' notice. A multisig. */
  administrator: Address
  /** Pauses, and withdraws announcements. A key that somebody can reach at night. */
  guardian: Address
  /** Another person's, so that either guardian can be dismissed if its key is stolen. */
  secondGuardian: Address
  /** Releases and burns, within the caps. The signer's. */
  payer: Address
  /** Brings dividends and reserves; holds the whole issue of BTN until then. */
  funder: Address
  /** Signs quotes. The api's. */
  quoteSigner: Address
  coldStorage: Address
}

/** The most that may leave in any 24 hours, in smallest units; above what the plan lets one member ask for. */
export type PoolCaps = { usdt: bigint; btn: bigint; btc: bigint; burn: bigint }

export type PoolTerms = { usdt: Address; btc: Address; roles: PoolRoles; caps: PoolCaps }

/** The two contracts of a pool, for any chain: its token and its vault. */
export async function deployPool(
  pipeline: Pipeline,
  { usdt, btc, roles, caps }: PoolTerms,
): Promise<{ btn: Address; vault: Address }> {
  const { funder, ...keys } = roles
  const btn = await pipeline.deploy(
    'BtnToken',
    encodeDeployData({ abi: btnTokenAbi, bytecode: btnTokenBytecode, args: [funder] }),
  )
  const setup = {
    usdt,
    btn,
    btc,
    funder,
    ...keys,
    usdtPayoutCap: caps.usdt,
    btnPayoutCap: caps.btn,
    btcPayoutCap: caps.btc,
    burnCap: caps.burn,
  }
  const vault = await pipeline.deploy(
    'PoolVault',
    encodeDeployData({ abi: poolVaultAbi, bytecode: poolVaultBytecode, args: [setup] }),
  )
  return { btn, vault }
}
