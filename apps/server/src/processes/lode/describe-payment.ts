import { assertNever } from '@lode/kernel'
import type { ListedPayment, PaymentStatus } from '../../modules/treasury/index.ts'
import { formatCoins, formatNumber, type PoolContracts } from '../../platform/config/pool-contracts.ts'
import { formatUtc } from './times.ts'

/** Describes a treasury payment, or returned suspense, for a list. */
export function describePayment({ body, status }: ListedPayment, contracts: PoolContracts): string {
  const amountAndAddress = `${formatCoins(contracts, body.symbol, BigInt(body.amount))} to ${body.address}`
  const sourceAndReason = body.verb === 'pay' ? `from ${body.from}, for: ${body.evidence}` : `because: ${body.note}`
  return `${amountAndAddress} ${sourceAndReason}\n    ${describeState(status)}`
}

/** The same for a program. */
export const paymentData = ({ body, status }: ListedPayment, contracts: PoolContracts) => ({
  symbol: body.symbol,
  amount: formatNumber(contracts, body.symbol, BigInt(body.amount)),
  address: body.address,
  purpose: body.verb === 'pay' ? body.evidence : body.note,
  ...(body.verb === 'pay' && { from: body.from }),
  state: describeState(status),
})

function describeState(status: PaymentStatus): string {
  switch (status.state) {
    case 'decided':
      return 'is decided, and the worker has not carried it out yet'
    case 'refused':
      return `could not be carried out: ${status.reason}`
    case 'made':
      return describePayout(status.payout)
    default:
      return assertNever(status)
  }
}

function describePayout({ ended, endedAt, paidTx, releaseNumber, heldCheck, waitsFor }: PaymentPayout): string {
  switch (ended) {
    case 'final':
      return `paid on ${endedAt && formatUtc(endedAt)}, transaction ${paidTx}`
    case 'reverted':
      return 'its token refused it; the money is back where it came from'
    case 'cancelled':
    case 'rejected':
      return 'expired before it was signed; the money is back where it came from'
    case null:
      if (releaseNumber !== null) return 'signed and sent'
      if (heldCheck !== null) return `held by the signer: ${heldCheck}`
      return waitsFor === null ? 'waits for the signer' : `waits for ${WAIT_REASONS[waitsFor]}`
    default:
      return assertNever(ended)
  }
}

type PaymentPayout = Extract<PaymentStatus, { state: 'made' }>['payout']

const WAIT_REASONS = {
  cap: 'room under the daily cap',
  missing: 'what is missing to be replaced',
  float: 'enough money in the vault',
  chain: 'the chain',
} as const
