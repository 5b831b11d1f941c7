import { type Address, getAddress, type Hex, hexToBytes, toHex } from 'viem'

/** Addresses and hashes are bytes in the database, and hexadecimal text everywhere else. */
export const bytesOf = (hex: Hex): Buffer => Buffer.from(hexToBytes(hex))

/** Returns the address with its EIP-55 checksum. */
export const addressFromColumn = (bytes: Buffer): Address => getAddress(toHex(bytes))

const TAIL_LENGTH = 6

/** The address tail: all that one member sees of another's address. */
export const addressTail = (account: Address): string => account.slice(-TAIL_LENGTH)
