import type { Hex } from 'viem'

/** A payout's or an order's id as the vault knows it: the uuid's sixteen bytes, with as many zeros before them. */
export const idOnChain = (uuid: string): Hex => `0x${uuid.replaceAll('-', '').padStart(64, '0')}`

/** The way back. Null for an id that none of ours can be. */
export function idFromChain(id: Hex): string | null {
  const [, hex] = /^0x0{32}([0-9a-f]{32})$/.exec(id.toLowerCase()) ?? []
  return hex === undefined ? null : hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
