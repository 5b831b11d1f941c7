import type { Address } from 'viem'

// The parts of the vault's interface that its ABI does not contain: the quote's EIP-712 types and the names of its enums.

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
