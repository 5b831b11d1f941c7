import type { Address } from 'viem'

// What the vault says and hears in numbers, in words: the parts of its interface that an ABI does not carry.

/** The struct that the quote key signs, for viem's `signTypedData` with primary type `Quote`. */
export const quoteTypes = {
  Quote: [
    { name: 'orderId', type: 'bytes32' },
    { name: 'payer', type: 'address' },
    { name: 'token', type: 'address' },
    { name: 'amount', type: 'uint256' },
    { name: 'deadline', type: 'uint256' },
  ],
} as const

/** A quote is good on one chain and for one vault. */
export const quoteDomain = (chainId: number, vault: Address) =>
  ({ name: 'Lode PoolVault', version: '1', chainId, verifyingContract: vault }) as const

/** `kind` of `fundReserve` and `ReserveFunded` is the position here. */
export const reserveKinds = ['airdrop', 'promotion', 'liquidity', 'mining'] as const

/** `reason` of `PayoutSkipped` is the position here; it is never the first. */
export const payoutOutcomes = ['released', 'cap', 'balance', 'token'] as const
