import { assertNever } from '@lode/kernel'
import { inUtc } from '../../modules/operators/index.ts'
import type { ListedPayment, PaymentStanding } from '../../modules/treasury/index.ts'
import type { PoolContracts } from '../../platform/config/pool-contracts.ts'
import { inCoins } from './amounts.ts'

/** One payment of the operators, as a list shows it. */
export function paymentWords({ body, standing }: ListedPayment, contracts: PoolContracts): string {
  const what = `${inCoins(contracts, body.symbol, BigInt(body.amount))} to ${body.address}`
  const why = body.verb === 'pay' ? `from ${body.from}, for: ${body.evidence}` : `because: ${body.note}`
  return `${what} ${why}\n    ${standingWords(standing)}`
}

function standingWords(standing: PaymentStanding): string {
  switch (standing.state) {
    case 'one-signature':
      return 'waits for a second operator'
    case 'decided':
      return 'is decided, and the worker has not carried it out yet'
    case 'refused':
      return `could not be carried out: ${standing.reason}`
    case 'made':
      return payoutWords(standing.payout)
    default:
      return assertNever(standing)
  }
}

function payoutWords({ ended, endedAt, paidTx, releaseNumber, heldCheck, waitsFor }: Made): string {
  switch (ended) {
    case 'final':
      return `paid on ${endedAt && inUtc(endedAt)}, transaction ${paidTx}`
    case 'reverted':
      return 'its token refused it; the money is back where it came from'
    case 'cancelled':
    case 'rejected':
      return 'expired before it was signed; the money is back where it came from'
    case null:
      if (releaseNumber !== null) return 'signed, and on its way'
      if (heldCheck !== null) return `held by the signer: ${heldCheck}`
      return waitsFor === null ? 'waits for the signer' : `waits for ${waits[waitsFor]}`
    default:
      return assertNever(ended)
  }
}

type Made = Extract<PaymentStanding, { state: 'made' }>['payout']

const waits = {
  cap: 'room under the daily cap',
  float: 'the vault to hold enough',
  chain: 'the chain',
} as const
