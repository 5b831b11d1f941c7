import type { Asset } from '@lode/kernel'
import { type Address, isAddressEqual } from 'viem'
import { amountOf, type Transaction } from '../ledger/index.ts'
import { type BodyOf, SIGNATURES_NEEDED, type VerifiedDecision } from '../operators/index.ts'
import { holdsAsset, isTreasuryAccount, type TreasuryAccount } from './accounts.ts'

/**
 * The rules for the pool's own money. Two operators first list an address. At least 48 hours later, two operators can
 * pay to this address from one of the pool's accounts. Two operators can also return money that came from an address
 * that nobody registered.
 */

const LISTING_WAIT_MS = 48 * 3_600_000

export type Payment = BodyOf<'pay' | 'return'>

export const listingSubject = (address: Address): string => `treasury-address:${address.toLowerCase()}`
export const paymentSubject = (verb: Payment['verb'], id: string): string =>
  verb === 'pay' ? `treasury:${id}` : `suspense:${id}`

/** Two operators have signed it. */
export const isDecided = ({ signers }: VerifiedDecision): boolean => signers.length >= SIGNATURES_NEEDED

export const isPayment = (body: VerifiedDecision['body']): body is Payment =>
  (body.verb === 'pay' || body.verb === 'return') && body.subject === paymentSubject(body.verb, body.nonce)

/**
 * Returns why the payment cannot be made, as text for the operators, or null. `listings` are the decisions about its
 * address.
 */
export function findObjection(body: Payment, decidedAt: Date, listings: readonly VerifiedDecision[]): string | null {
  if (body.verb === 'return') return null
  if (!isTreasuryAccount(body.from)) return `${body.from} is not an account that operators pay from`
  if (!holdsAsset(body.from, body.symbol)) return `${body.from} holds no ${body.symbol}`
  const since = findListedSince(body.address, listings)
  if (!since) return `${body.address} is not listed`
  return since.getTime() + LISTING_WAIT_MS > decidedAt.getTime()
    ? `${body.address} was listed less than 48 hours before`
    : null
}

/** From when on an address can be paid that two operators have listed at this time. */
export const listingPayableFrom = (listedAt: Date): Date => new Date(listedAt.getTime() + LISTING_WAIT_MS)

/** Since when an address is listed; null if it is not. */
export function findListedSince(address: Address, listings: readonly VerifiedDecision[]): Date | null {
  const times = listings.flatMap((listing) =>
    listing.body.verb === 'list' && isAddressEqual(listing.body.address, address) && isDecided(listing)
      ? [listing.signedAt.getTime()]
      : [],
  )
  return times.length === 0 ? null : new Date(Math.min(...times))
}

type PaymentTerms = {
  readonly id: string
  readonly kind: 'transfer' | 'treasury' | 'suspense'
  readonly asset: Asset
  readonly amount: bigint
  readonly address: Address
  readonly paidFrom: string | null
}

/** The terms of a payment, as its payout has them. */
export const termsOfPayment = (payment: Payment): PaymentTerms => ({
  id: payment.nonce,
  kind: payment.verb === 'pay' ? 'treasury' : 'suspense',
  asset: payment.symbol,
  amount: BigInt(payment.amount),
  address: payment.address,
  paidFrom: payment.verb === 'pay' ? payment.from : null,
})

/** The ledger transaction that sets the payment's money aside when the worker carries out the decision. */
export function buildPaymentTransaction({ id, kind, asset, amount, address, paidFrom }: PaymentTerms): Transaction {
  if (kind === 'transfer') throw new Error(`${id} is a member’s transfer`)
  if (kind === 'treasury')
    return { type: 'treasuryPay', key: `treasury:${id}`, moves: [buildTreasuryMoves(paidFrom, asset, amount).pay] }
  const from = { kind: 'suspense:address', address } as const
  return {
    type: 'suspenseReturn',
    key: `suspense:${id}`,
    moves: [{ ...amountOf(asset, amount), from, to: 'suspense:returning' }],
  }
}

/** The ledger transaction that moves the money of an operators' payment back, if the payment will not be made. */
export function buildReversalTransaction({ id, kind, asset, amount, address, paidFrom }: PaymentTerms): Transaction {
  if (kind === 'transfer') throw new Error(`${id} is a member’s transfer`)
  if (kind === 'treasury')
    return {
      type: 'treasuryUndone',
      key: `treasury:${id}:undone`,
      moves: [buildTreasuryMoves(paidFrom, asset, amount).undo],
    }
  const moved = { ...amountOf(asset, amount), from: 'suspense:returning' } as const
  const to = { kind: 'suspense:address', address } as const
  return { type: 'suspenseReturnUndone', key: `suspense:${id}:undone`, moves: [{ ...moved, to }] }
}

/** The moves from an account that operators pay from, and back. Throws if that account does not hold the asset. */
function buildTreasuryMoves(account: string | null, asset: Asset, amount: bigint) {
  if (account === 'pool:operations') return buildBothMoves(account, asset, amount)
  if ((account === 'pool:mining' || account === 'pool:liquidity') && asset === 'USDT')
    return buildBothMoves(account, asset, amount)
  if ((account === 'reserve:liquidity' || account === 'reserve:mining') && asset === 'BTN')
    return buildBothMoves(account, asset, amount)
  throw new Error(`operators do not pay ${asset} from ${account}`)
}

function buildBothMoves<K extends TreasuryAccount, A extends Asset>(account: K, asset: A, value: bigint) {
  const moved = amountOf(asset, value)
  return {
    pay: { ...moved, from: account, to: 'pool:paying' },
    undo: { ...moved, from: 'pool:paying', to: account },
  } as const
}
