import type { Asset } from '@lode/kernel'
import { type Address, formatUnits, getAddress, isAddress } from 'viem'
import * as z from 'zod'

/** The pool's contracts on its chain. */
export type PoolContracts = {
  readonly vault: Address
  /** The vaults before this one, oldest first. What arrives there late still belongs to the pool. */
  readonly formerVaults: readonly Address[]
  /** The watcher reads no earlier blocks: they contain no log of the pool. */
  readonly firstBlock: bigint
  readonly tokens: { readonly [A in Asset]: { readonly address: Address; readonly decimals: number } }
  /** Chainlink-style aggregators, each giving the price of one coin in USDT. */
  readonly priceFeeds: { readonly BTC: Address; readonly BTN: Address }
}

const address = z
  .string()
  .refine((text) => isAddress(text, { strict: text !== text.toLowerCase() }), 'must be an address')
  .transform((text) => getAddress(text))
const formerVaults = z
  .string()
  .transform((text) => text.split(',').filter((part) => part.trim() !== ''))
  .pipe(z.array(z.string().trim().pipe(address)))
/** At least 6, because amounts in the configuration may have six decimals. */
const decimals = z.coerce.number().int().min(6).max(30)

export const contractVariables = {
  VAULT_ADDRESS: address,
  FORMER_VAULTS: formerVaults.default([]),
  VAULT_FIRST_BLOCK: z.coerce.bigint().min(0n),
  USDT_ADDRESS: address,
  USDT_DECIMALS: decimals.default(6),
  BTN_ADDRESS: address,
  BTN_DECIMALS: decimals.default(18),
  BTC_ADDRESS: address,
  BTC_DECIMALS: decimals.default(8),
  BTC_PRICE_FEED: address,
  BTN_PRICE_FEED: address,
}

const variables = z.object(contractVariables)

/** Every vault of the pool, oldest first. Together they hold what the ledger has in `custody:vault`. */
export const allVaultsOf = ({
  vault,
  formerVaults,
}: Pick<PoolContracts, 'vault' | 'formerVaults'>): readonly Address[] => [...formerVaults, vault]

/**
 * The pool's name in the operators' signed texts and in the signer's journal: its first vault. So both stay valid when
 * the pool moves to another vault.
 */
export const firstVaultOf = ({ vault, formerVaults }: Pick<PoolContracts, 'vault' | 'formerVaults'>): Address =>
  formerVaults[0] ?? vault

export const readPoolContracts = (given: z.output<typeof variables>): PoolContracts => ({
  vault: given.VAULT_ADDRESS,
  formerVaults: given.FORMER_VAULTS,
  firstBlock: given.VAULT_FIRST_BLOCK,
  tokens: {
    USDT: { address: given.USDT_ADDRESS, decimals: given.USDT_DECIMALS },
    BTN: { address: given.BTN_ADDRESS, decimals: given.BTN_DECIMALS },
    BTC: { address: given.BTC_ADDRESS, decimals: given.BTC_DECIMALS },
  },
  priceFeeds: { BTC: given.BTC_PRICE_FEED, BTN: given.BTN_PRICE_FEED },
})

export type Decimals = { readonly [A in Asset]: number }

export const decimalsOf = ({ tokens }: Pick<PoolContracts, 'tokens'>): Decimals => ({
  USDT: tokens.USDT.decimals,
  BTN: tokens.BTN.decimals,
  BTC: tokens.BTC.decimals,
})

/** In whole coins, without the symbol. It may be negative or too large for the ledger: texts about errors need that. */
export const formatNumber = ({ tokens }: Pick<PoolContracts, 'tokens'>, asset: Asset, amount: bigint): string =>
  formatUnits(amount, tokens[asset].decimals)

/** As people read it: `0.001 BTC`. Every text for operators has its amounts in this form, also in logs and alarms. */
export const formatCoins = (contracts: Pick<PoolContracts, 'tokens'>, asset: Asset, amount: bigint): string =>
  `${formatNumber(contracts, asset, amount)} ${asset}`
