import { type Asset, assets, parseInvitationCode } from '@lode/kernel'
import * as z from 'zod/mini'
import { languages } from './enums.ts'

/** Checks only the shape. The server checks the EIP-55 checksum of a mixed-case address, because that needs keccak. */
export const address = z.string().check(z.regex(/^0x[0-9a-fA-F]{40}$/))

/** The last six digits of an address. One member sees another member's address only in this form. */
export const addressTail = z.string().check(z.regex(/^[0-9a-fA-F]{6}$/))

export const invitationCode = z
  .string()
  .check(z.maxLength(32))
  .check(z.refine((text) => parseInvitationCode(text).ok))

export const language = z.enum(languages)

export const fundPassword = z.string().check(z.regex(/^[0-9A-Za-z]{6,20}$/))

/**
 * Sixteen characters of Crockford's base 32. Spaces and hyphens are ignored. The server reads I and L as 1, and O as 0.
 */
export const setupCode = z.string().check(z.maxLength(40), z.regex(/^(?:[\s-]*[0-9A-Za-z]){16}[\s-]*$/))

/** A random id that a browser makes once and keeps, so that the server can recognize a new browser. */
export const deviceId = z.string().check(z.regex(/^[A-Za-z0-9_-]{22}$/))

/** A moment, always UTC: `2026-11-15T06:14:09.000Z`. */
export const moment = z.iso.datetime()

/** A day of the calendar, UTC: `2026-11-15`. */
export const calendarDay = z
  .string()
  .check(z.regex(/^20\d\d-\d\d-\d\d$/))
  .check(z.refine((text) => new Date(`${text}T00:00:00Z`).toJSON()?.startsWith(text) === true))

/** EIP-4361 text. Ours have about 400 characters. A longer, hostile text is refused before it is parsed. */
export const signInMessage = z.string().check(z.minLength(1), z.maxLength(2_000))

/**
 * 65 bytes for a plain account. The signature of a contract wallet may be longer, and an EIP-6492 signature of several
 * owners is much longer.
 */
export const signature = z.string().check(z.maxLength(16_386), z.regex(/^0x(?:[0-9a-fA-F]{2})+$/))

export const asset = z.enum(assets)

/**
 * The canonical spelling of an amount in whole coins: `12.5`. No sign, exponent, grouping, leading or trailing zeros.
 */
export const amount = z.string().check(z.regex(/^(0|[1-9][0-9]{0,38})(\.[0-9]{0,37}[1-9])?$/))

/** A number of whole coins: no fraction, sign or leading zero. */
export const wholeQuantity = z.string().check(z.regex(/^[1-9][0-9]{0,17}$/))

export const transactionHash = z.string().check(z.regex(/^0x[0-9a-f]{64}$/))

const token = z.object({ address, decimals: z.int() })
export const tokens = z.object({ USDT: token, BTN: token, BTC: token } satisfies Record<Asset, typeof token>)

/** Made by the client for one press of a button. The same key with the same terms always gets the first answer. */
export const idempotencyKey = z.string().check(z.regex(/^[0-9A-Za-z_-]{16,64}$/))

export const planVersion = z.int().check(z.positive())

export const orderId = z.string().check(z.regex(/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/))

/** An encrypted row number: a plain one would tell how many rows the pool has. Only the server can read it. */
export const opaqueId = z.string().check(z.regex(/^[0-9A-Za-z_-]{22}$/))

/** The query of a list. `cursor` is the `next` of the previous page. */
export const pageQuery = {
  cursor: z.optional(opaqueId),
  limit: z.optional(z.string().check(z.regex(/^([1-9][0-9]?|100)$/))),
}
