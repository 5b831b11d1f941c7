import { type Asset, units } from '@lode/kernel'
import { type Address, isAddressEqual } from 'viem'
import type { Transaction } from '../ledger/index.ts'
import { type BodyOf, TWO, type VerifiedDecision } from '../operators/index.ts'
import { holds, isTreasuryAccount } from './accounts.ts'

/**
 * What two operators decide about the pool's own money: to which addresses it may go, and, 48 hours after that at the
 * earliest, how much from which account. And the way back of what came from an address that nobody registered.
 */

export const LISTED_FOR_MS = 48 * 3_600_000

export type Payment = BodyOf<'pay' | 'return'>

export const listingSubject = (address: Address): string => `treasury-address:${address.toLowerCase()}`
export const paymentSubject = (verb: Payment['verb'], id: string): string =>
  verb === 'pay' ? `treasury:${id}` : `suspense:${id}`

/** By two operators, and when both had signed. */
export const isDecided = ({ operators }: VerifiedDecision): boolean => operators.length >= TWO

export const isPayment = (body: VerifiedDecision['body']): body is Payment =>
  (body.verb === 'pay' || body.verb === 'return') && body.subject === paymentSubject(body.verb, body.nonce)

/** Why it cannot be made, in words for the operators, or null. `listings` are the decisions about its address. */
export function objection(body: Payment, decidedAt: Date, listings: readonly VerifiedDecision[]): string | null {
  if (body.verb === 'return') return null
  if (!isTreasuryAccount(body.from)) return `${body.from} is not an account that operators pay from`
  if (!holds(body.from, body.symbol)) return `${body.from} holds no ${body.symbol}`
  const since = listedSince(body.address, listings)
  if (!since) return `${body.address} is not listed`
  return since.getTime() + LISTED_FOR_MS > decidedAt.getTime()
    ? `${body.address} was listed less than 48 hours before`
    : null
}

/** Since when an address is listed; null where it is not. */
export function listedSince(address: Address, listings: readonly VerifiedDecision[]): Date | null {
  const times = listings.flatMap((listing) =>
    listing.body.verb === 'list' && isAddressEqual(listing.body.address, address) && isDecided(listing)
      ? [listing.signedAt.getTime()]
      : [],
  )
  return times.length === 0 ? null : new Date(Math.min(...times))
}

/** What is put aside for it at the second signature. */
export function reservation({ verb, nonce, symbol, amount, address, ...more }: Payment): Transaction {
  const moved = { asset: symbol, amount: units(symbol, BigInt(amount)) }
  // That asset and accounts fit together the ledger checks as it posts; the compiler cannot follow it by asset.
  return (verb === 'pay'
    ? {
        type: 'treasuryPay',
        key: `treasury:${nonce}`,
        moves: [{ ...moved, from: 'from' in more ? more.from : '', to: 'pool:paying' }],
      }
    : {
        type: 'suspenseReturn',
        key: `suspense:${nonce}`,
        moves: [{ ...moved, from: { kind: 'suspense:address', address }, to: 'suspense:returning' }],
      }) as unknown as Transaction
}

type Reserved = {
  readonly id: string
  readonly kind: 'transfer' | 'treasury' | 'suspense'
  readonly asset: Asset
  readonly amount: bigint
  readonly address: Address
  readonly paidFrom: string | null
}

/** Puts back what was put aside for a payment of the operators' that will not be made. */
export function undoing({ id, kind, asset, amount, address, paidFrom }: Reserved): Transaction {
  if (kind === 'transfer') throw new Error(`${id} is a member’s transfer`)
  const moved = { asset, amount: units(asset, amount) }
  return (kind === 'treasury'
    ? { type: 'treasuryUndone', key: `treasury:${id}:undone`, moves: [{ ...moved, from: 'pool:paying', to: paidFrom }] }
    : {
        type: 'suspenseReturnUndone',
        key: `suspense:${id}:undone`,
        moves: [{ ...moved, from: 'suspense:returning', to: { kind: 'suspense:address', address } }],
      }) as unknown as Transaction
}
