import { type Address, getAddress, numberToHex, pad } from 'viem'
import type { PoolContracts } from '../platform/config/pool-contracts.ts'

/** A short address that is easy to recognize. */
export const address = (number: number): Address => getAddress(pad(numberToHex(number), { size: 20 }))

/** Contracts that no chain has, for tests of what is only computed or written. */
export const testContracts: PoolContracts = {
  vault: address(0xa0),
  formerVaults: [],
  firstBlock: 1n,
  tokens: {
    USDT: { address: address(0xa1), decimals: 6 },
    BTN: { address: address(0xa2), decimals: 18 },
    BTC: { address: address(0xa3), decimals: 8 },
  },
  priceFeeds: { BTC: address(0xa4), BTN: address(0xa5) },
}
