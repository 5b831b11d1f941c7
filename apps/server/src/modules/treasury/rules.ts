import type { Asset } from '@lode/kernel'
import { type Address, isAddressEqual } from 'viem'
import { amountOf, type Transaction } from '../ledger/index.ts'
import { type BodyOf, TWO, type VerifiedDecision } from '../operators/index.ts'
import { holds, isTreasuryAccount, type TreasuryAccount } from './accounts.ts'

/**
 * What two operators decide about the pool's own money: first to which addresses it may go and, at least 48 hours
 * later, how much from which account. Also the return of money that came from an address that nobody registered.
 */

export const LISTED_FOR_MS = 48 * 3_600_000

export type Payment = BodyOf<'pay' | 'return'>

export const listingSubject = (address: Address): string => `treasury-address:${address.toLowerCase()}`
export const paymentSubject = (verb: Payment['verb'], id: string): string =>
  verb === 'pay' ? `treasury:${id}` : `suspense:${id}`

/** Two operators have signed it. */
export const isDecided = ({ operators }: VerifiedDecision): boolean => operators.length >= TWO

export const isPayment = (body: VerifiedDecision['body']): body is Payment =>
  (body.verb === 'pay' || body.verb === 'return') && body.subject === paymentSubject(body.verb, body.nonce)

/**
 * Why the payment cannot be made, in words for the operators, or null. `listings` are the decisions about its address.
 */
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

/** Since when an address is listed; null if it is not. */
export function listedSince(address: Address, listings: readonly VerifiedDecision[]): Date | null {
  const times = listings.flatMap((listing) =>
    listing.body.verb === 'list' && isAddressEqual(listing.body.address, address) && isDecided(listing)
      ? [listing.signedAt.getTime()]
      : [],
  )
  return times.length === 0 ? null : new Date(Math.min(...times))
}

/** The ledger transaction that sets the payment's money aside at the second signature. */
export function reservation(payment: Payment): Transaction {
  const { nonce, symbol: asset, address } = payment
  const amount = BigInt(payment.amount)
  if (payment.verb === 'pay')
    return {
      type: 'treasuryPay',
      key: `treasury:${nonce}`,
      moves: [treasuryMoves(payment.from, asset, amount).pay],
    }
  const from = { kind: 'suspense:address', address } as const
  return {
    type: 'suspenseReturn',
    key: `suspense:${nonce}`,
    moves: [{ ...amountOf(asset, amount), from, to: 'suspense:returning' }],
  }
}

type Reserved = {
  readonly id: string
  readonly kind: 'transfer' | 'treasury' | 'suspense'
  readonly asset: Asset
  readonly amount: bigint
  readonly address: Address
  readonly paidFrom: string | null
}

/** Returns the money that was set aside for an operators' payment that will not be made. */
export function undoing({ id, kind, asset, amount, address, paidFrom }: Reserved): Transaction {
  if (kind === 'transfer') throw new Error(`${id} is a member’s transfer`)
  if (kind === 'treasury')
    return {
      type: 'treasuryUndone',
      key: `treasury:${id}:undone`,
      moves: [treasuryMoves(paidFrom, asset, amount).undo],
    }
  const moved = { ...amountOf(asset, amount), from: 'suspense:returning' } as const
  const to = { kind: 'suspense:address', address } as const
  return { type: 'suspenseReturnUndone', key: `suspense:${id}:undone`, moves: [{ ...moved, to }] }
}

/** The moves from an account that operators pay from, and back. Throws if that account does not hold the asset. */
function treasuryMoves(account: string | null, asset: Asset, amount: bigint) {
  if (account === 'pool:operations') return bothWays(account, asset, amount)
  if ((account === 'pool:mining' || account === 'pool:liquidity') && asset === 'USDT')
    return bothWays(account, asset, amount)
  if ((account === 'reserve:liquidity' || account === 'reserve:mining') && asset === 'BTN')
    return bothWays(account, asset, amount)
  throw new Error(`operators do not pay ${asset} from ${account}`)
}

function bothWays<K extends TreasuryAccount, A extends Asset>(account: K, asset: A, value: bigint) {
  const moved = amountOf(asset, value)
  return {
    pay: { ...moved, from: account, to: 'pool:paying' },
    undo: { ...moved, from: 'pool:paying', to: account },
  } as const
}
