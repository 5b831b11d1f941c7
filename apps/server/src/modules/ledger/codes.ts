import type { Asset } from '@lode/kernel'
import { orderTypes } from '@lode/wire'
import { accountNumber, SYSTEM } from './account-number.ts'
import { assetCodes, type KindName, kinds, type LogType, logTypeCodes, type TypeName, types } from './chart.ts'

/** The name of a code. An SQL file writes it with a colon in front, as in `type = :type.deposit`. */
export type CodeName =
  | `type.${TypeName}`
  | `log.${LogType}`
  | `kind.${KindName}`
  | `asset.${Asset}`
  | `order.${keyof typeof orderTypes}`
  /** The account number of the system's account of this kind and asset. */
  | `account.${KindName}.${Asset}`

const byName = new Map<string, number>([
  ...Object.entries(types).map(([name, { code }]) => [`type.${name}`, code] as const),
  ...Object.entries(logTypeCodes).map(([name, code]) => [`log.${name}`, code] as const),
  ...Object.entries(kinds).map(([name, { code }]) => [`kind.${name}`, code] as const),
  ...Object.entries(assetCodes).map(([name, code]) => [`asset.${name}`, code] as const),
  ...Object.entries(orderTypes).map(([name, code]) => [`order.${name}`, code] as const),
  ...Object.entries(kinds).flatMap(([name, { assets }]) =>
    assets.map(
      (asset) => [`account.${name}.${asset}`, Number(accountNumber(SYSTEM, name as KindName, asset))] as const,
    ),
  ),
])

/** Returns the number that the database stores for a name. Stored rows use these numbers, so they never change. */
export const codeOf = (name: CodeName): number => codeNamed(name)

/** The same as codeOf(), for a name from an SQL file, which the compiler cannot check. Throws if there is none. */
export function codeNamed(name: string): number {
  const code = byName.get(name)
  if (code === undefined) throw new Error(`no code is named ${name}`)
  return code
}
