import { type Address, getAddress, toHex } from 'viem'

/** An address is twenty bytes in the database, and EIP-55 text everywhere else. */
export const toColumn = (account: Address): Buffer => Buffer.from(account.slice(2), 'hex')

export const fromColumn = (bytes: Buffer): Address => getAddress(toHex(bytes))
