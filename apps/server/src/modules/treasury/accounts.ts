import type { Asset } from '@lode/kernel'
import type { PoolAccount } from '@lode/wire'

/** The accounts from which operators may pay, each with its assets. The other reserves are debited only by airdrops. */
export const treasuryAccounts = {
  'pool:mining': ['USDT'],
  'pool:liquidity': ['USDT'],
  'pool:operations': ['USDT', 'BTN', 'BTC'],
  'reserve:liquidity': ['BTN'],
  'reserve:mining': ['BTN'],
} as const satisfies Record<PoolAccount, readonly Asset[]>

export type TreasuryAccount = keyof typeof treasuryAccounts

export const isTreasuryAccount = (name: string): name is TreasuryAccount => Object.hasOwn(treasuryAccounts, name)

export const holdsAsset = (account: TreasuryAccount, asset: Asset): boolean =>
  treasuryAccounts[account].some((held) => held === asset)
