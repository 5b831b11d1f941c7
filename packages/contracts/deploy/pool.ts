import { type Address, encodeDeployData, zeroAddress } from 'viem'
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
  /** Brings dividends and reserves. */
  funder: Address
  /** Signs quotes. The api's. */
  quoteSigner: Address
  coldStorage: Address
}

/** The most that may leave in any 24 hours, in smallest units; above what the plan lets one member ask for. */
export type PoolCaps = { usdt: bigint; btn: bigint; btc: bigint; burn: bigint }

export type PoolTerms = {
  usdt: Address
  btc: Address
  roles: PoolRoles
  caps: PoolCaps
  /** Gets the whole issue of BTN, and passes on to the funder what goes into the reserves next. */
  btnHolder: Address
  /** The vault that the new one follows, with its BTN. A new vault with a predecessor makes no new BTN. */
  predecessor?: { vault: Address; btn: Address } | undefined
}

/** The two contracts of a pool, for any chain: its token and its vault. */
export async function deployPool(
  pipeline: Pipeline,
  { btnHolder, ...terms }: PoolTerms,
): Promise<{ btn: Address; vault: Address }> {
  const btn =
    terms.predecessor?.btn ??
    (await pipeline.deploy(
      'BtnToken',
      encodeDeployData({ abi: btnTokenAbi, bytecode: btnTokenBytecode, args: [btnHolder] }),
    ))
  return { btn, vault: await pipeline.deploy('PoolVault', vaultCreation(btn, terms)) }
}

/** The data of the transaction that creates the vault. */
export function vaultCreation(btn: Address, { usdt, btc, roles, caps, predecessor }: Omit<PoolTerms, 'btnHolder'>) {
  const setup = {
    predecessor: predecessor?.vault ?? zeroAddress,
    usdt,
    btn,
    btc,
    ...roles,
    usdtPayoutCap: caps.usdt,
    btnPayoutCap: caps.btn,
    btcPayoutCap: caps.btc,
    burnCap: caps.burn,
  }
  return encodeDeployData({ abi: poolVaultAbi, bytecode: poolVaultBytecode, args: [setup] })
}
