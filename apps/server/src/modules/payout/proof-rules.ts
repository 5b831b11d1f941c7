import type { Address, Hex } from 'viem'
import type { Movement } from '../custody/index.ts'
import type { PostedTransaction } from '../ledger/index.ts'
import type { PayoutRow } from './row.ts'

/**
 * Checks that a ledger transaction which changed custody agrees with its chain log:
 *
 *     key chain:<id>:<transaction>:<index> ──► that log, read from the signer's own node ──► its amounts and owner
 *                                                                                                     ║ the same?
 *     postings of the ledger transaction ─────────────────────────────────────────────────────────────╝
 *
 * All money enters and leaves the ledger by such transactions; every other transaction moves it inside the ledger.
 * So an attacker who can write to the ledger, but not to the chain, cannot be paid with money that never arrived.
 */

/** The ledger data that the check needs. */
export type Known = {
  /** The address of a member, or of an owner in suspense that nobody registered. */
  addressOf(owner: bigint): Address | undefined
  payoutOf(id: Hex): Pick<PayoutRow, 'kind' | 'memberId'> | undefined
}

/** Returns the contradiction in words, or null if there is none. */
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

/** Custody accounts are minus the amount that the chain holds. */
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
      // A pledge returns to its payer later, so it must be posted for that payer. A promotion's price is shared out.
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
