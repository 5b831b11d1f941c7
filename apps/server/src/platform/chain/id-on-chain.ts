import type { Hex } from 'viem'

/**
 * Converts the uuid of a payout or an order to its 32-byte id on the chain: 16 zero bytes, then the bytes of the uuid.
 */
export const idOnChain = (uuid: string): Hex => `0x${uuid.replaceAll('-', '').padStart(64, '0')}`

/** Returns the uuid of an id on the chain; null if the id does not have that form. */
export function idFromChain(id: Hex): string | null {
  const [, hex] = /^0x0{32}([0-9a-f]{32})$/.exec(id.toLowerCase()) ?? []
  return hex === undefined ? null : hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
