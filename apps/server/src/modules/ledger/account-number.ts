import type { Asset } from '@lode/kernel'
import { assetCodes, type KindName, kinds } from './chart.ts'

/** Owner of the system's accounts. A member's owner is the member id; an unregistered address has a negative owner. */
export const SYSTEM = 0n

/** Account number: owner << 14 | kind << 8 | asset << 6 | stripe. The stripe is 0 here; lode.post chooses one. */
export const accountNumber = (owner: bigint, kind: KindName, asset: Asset): bigint =>
  (owner << 14n) | BigInt((kinds[kind].code << 8) | (assetCodes[asset] << 6))

/** The account numbers of one owner, as a half-open range: the first is included, the second is not. */
export const accountRange = (owner: bigint): [bigint, bigint] => [owner << 14n, (owner + 1n) << 14n]

const kindByCode = new Map(Object.entries(kinds).map(([name, { code }]) => [code as number, name as KindName]))
const assetByCode = new Map(Object.entries(assetCodes).map(([name, code]) => [code as number, name as Asset]))

export function readAccountNumber(number: bigint): { owner: bigint; kind: KindName; asset: Asset; stripe: number } {
  const low = Number(number & 16_383n)
  const kind = kindByCode.get(low >> 8)
  const asset = assetByCode.get((low >> 6) & 3)
  if (!kind || !asset) throw new Error(`${number} is not an account number`)
  return { owner: number >> 14n, kind, asset, stripe: low & 63 }
}
