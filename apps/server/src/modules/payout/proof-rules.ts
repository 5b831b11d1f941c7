import type { Address, Hex } from 'viem'
import type { Movement } from '../custody/index.ts'
import type { PostedTransaction } from '../ledger/index.ts'
import type { PayoutRow } from './row.ts'

/**
 * Whether a transaction of the books that moved what the pool holds is what the chain says, log for log:
 *
 *     key chain:<id>:<transaction>:<index> ──► that log, as the signer's own node has it ──► what it moves, and whose it is
 *                                                                                                      ║ the same?
 *     postings of the transaction ─────────────────────────────────────────────────────────────────────╝
 *
 * Everything that comes into the books or leaves them is such a transaction, and every other only moves what is in them. So whoever
 * can write to the books and not to the chain can pay nobody with money that never came.
 */

/** What of the books must be known to judge it. */
export type Known = {
  /** A member's own, or that of an address that nobody registered. */
  addressOf(owner: bigint): Address | undefined
  payoutOf(id: Hex): Pick<PayoutRow, 'kind' | 'memberId'> | undefined
}

/** In words, what is wrong with it; null where nothing is. */
export function contradiction(posted: PostedTransaction, movement: Movement, known: Known): string | null {
  const custody = posted.postings.filter(isCustody)
  const { vault, cold } = custodyBy(movement)
  const moves = (kind: Custody, amount: bigint): boolean =>
    amount === custody.filter((posting) => posting.kind === kind).reduce((sum, posting) => sum + posting.amount, 0n)
  if (
    !moves('custody:vault', vault) ||
    !moves('custody:cold', cold) ||
    custody.some(({ asset }) => asset !== movement.asset)
  )
    return 'it moves something else'
  return isMeaningOf(posted, movement, known) ? null : `it is a ${movement.kind}, or somebody else's`
}

type Custody = 'custody:vault' | 'custody:cold'
type Posting = PostedTransaction['postings'][number]

export const isCustody = ({ kind }: Posting): boolean => kind === 'custody:vault' || kind === 'custody:cold'

/** Custody is minus what the chain holds. */
function custodyBy(movement: Movement): { vault: bigint; cold: bigint } {
  const { amount } = movement
  switch (movement.kind) {
    case 'deposit':
      return movement.into === 'vault' ? { vault: -amount, cold: 0n } : { vault: 0n, cold: -amount }
    case 'payment':
    case 'dividendFunding':
    case 'reserveFunding':
      return { vault: -amount, cold: 0n }
    case 'payout':
    case 'burn':
      return { vault: amount, cold: 0n }
    case 'coldMove':
      return { vault: amount, cold: -amount }
    case 'coldReturn':
      return { vault: -amount, cold: amount }
  }
}

function isMeaningOf(posted: PostedTransaction, movement: Movement, known: Known): boolean {
  const { type, postings } = posted
  const others = postings.filter((posting) => !isCustody(posting))
  const isOf = (from: Address): boolean => others.every(({ owner }) => known.addressOf(owner) === from)
  const isDepositOf = (from: Address): boolean => (type === 'deposit' || type === 'suspenseDeposit') && isOf(from)
  switch (movement.kind) {
    case 'deposit':
      return isDepositOf(movement.from)
    case 'payment':
      // What is pledged is its payer's again one day; what is paid for a promotion is shared out.
      return type === 'promotionPaid' || (type === 'pledgePaid' && isOf(movement.from)) || isDepositOf(movement.from)
    case 'dividendFunding':
      return type === 'dividendFunding'
    case 'reserveFunding':
      return type === 'reserveFunding' && others.every(({ kind }) => kind === `reserve:${movement.reserve}`)
    case 'coldMove':
    case 'coldReturn':
    case 'burn':
      return type === movement.kind
    case 'payout': {
      const payout = known.payoutOf(movement.payoutId)
      if (!payout || type !== PAID_AS[payout.kind]) return false
      return (
        payout.memberId === null || others.every(({ kind, owner }) => kind !== 'frozenOut' || owner === payout.memberId)
      )
    }
  }
}

const PAID_AS = {
  transfer: 'transferPaid',
  treasury: 'treasuryPaid',
  suspense: 'suspenseReturnPaid',
} as const satisfies Record<PayoutRow['kind'], PostedTransaction['type']>
