import type { Hex } from 'viem'

/** The id of a payout or an order on the chain: the 16 bytes of the uuid after 16 zero bytes. */
export const idOnChain = (uuid: string): Hex => `0x${uuid.replaceAll('-', '').padStart(64, '0')}`

/** Converts back. Null for an id that cannot be one of ours. */
export function idFromChain(id: Hex): string | null {
  const [, hex] = /^0x0{32}([0-9a-f]{32})$/.exec(id.toLowerCase()) ?? []
  return hex === undefined ? null : hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
