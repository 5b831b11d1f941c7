import type { Address, Hex } from 'viem'
import type { Movement } from '../custody/index.ts'
import type { PostedTransaction } from '../ledger/index.ts'
import type { PayoutRow } from './payout-row.ts'

/**
 * Checks that a ledger transaction which changed custody agrees with its chain log:
 *
 *     key chain:<id>:<transaction>:<index> ──► that log, read from the signer's own nodes ──► its amounts and owner
 *                                                                                                     ║ the same?
 *     postings of the ledger transaction ─────────────────────────────────────────────────────────────╝
 *
 * All money enters and leaves the ledger by such transactions; every other transaction moves it inside the ledger.
 * So an attacker who can write to the ledger, but not to the chain, cannot be paid with money that never arrived.
 */

/** The ledger data that the check needs. */
export type ProofFacts = {
  /** The address of a member, or of a suspense account whose address nobody registered. */
  addressOf(owner: bigint): Address | undefined
  payoutOf(id: Hex): Pick<PayoutRow, 'kind' | 'memberId'> | undefined
  /** Whether the vault made this address a funder, and it is not the address of a member. */
  mayFundLoss(address: Address): boolean
  /** The address of the member whose order this chain transaction paid. */
  payerOf(orderId: Hex, tx: Hex): Address | undefined
}

/** Returns the contradiction in words, or null if there is none. */
export function findContradiction(posted: PostedTransaction, movement: Movement, facts: ProofFacts): string | null {
  const custody = posted.postings.filter(isCustody)
  const { vault, cold } = expectedCustodyChange(movement)
  const changesBy = (kind: Custody, amount: bigint): boolean =>
    amount === custody.filter((posting) => posting.kind === kind).reduce((sum, posting) => sum + posting.amount, 0n)
  if (
    !changesBy('custody:vault', vault) ||
    !changesBy('custody:cold', cold) ||
    custody.some(({ asset }) => asset !== movement.asset)
  )
    return 'the log moves another amount or asset'
  return matchesMovement(posted, movement, facts) ? null : `the log is a ${movement.kind}, or belongs to another owner`
}

/**
 * Whether a reversal is the opposite of what it undoes. It gives back everything that was taken. It takes back at most
 * what was credited, and from custody all of it; the rest is missing in `pool:loss`.
 */
export function isReversalOf(reversal: PostedTransaction, undone: PostedTransaction): boolean {
  const sumsOf = ({ postings }: PostedTransaction): Map<string, bigint> => {
    const sums = new Map<string, bigint>()
    for (const { kind, owner, asset, amount } of postings) {
      // A false funding of dividends is missing as a whole: the days count on it.
      if (kind === 'pool:loss' || kind === 'dividend:funded') continue
      const account = `${kind} ${owner} ${asset}`
      sums.set(account, (sums.get(account) ?? 0n) + amount)
    }
    return sums
  }
  const [given, wanted] = [sumsOf(reversal), sumsOf(undone)]
  return Array.from(new Set([...given.keys(), ...wanted.keys()])).every((account) => {
    const [change, before] = [given.get(account) ?? 0n, wanted.get(account) ?? 0n]
    return change === -before || (!account.startsWith('custody:') && before > 0n && change <= 0n && change > -before)
  })
}

type Custody = 'custody:vault' | 'custody:cold'
type Posting = PostedTransaction['postings'][number]

export const isCustody = ({ kind }: Posting): boolean => kind === 'custody:vault' || kind === 'custody:cold'

/** The balance of a custody account is the negative of what the address holds on the chain. */
function expectedCustodyChange(movement: Movement): { vault: bigint; cold: bigint } {
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
    case 'writeOff':
      return movement.place === 'vault'
        ? { vault: amount + movement.arrived, cold: -movement.arrived }
        : { vault: 0n, cold: amount }
  }
}

function matchesMovement(posted: PostedTransaction, movement: Movement, facts: ProofFacts): boolean {
  const { type, postings } = posted
  const others = postings.filter((posting) => !isCustody(posting))
  const areAllOwnedBy = (from: Address): boolean => others.every(({ owner }) => facts.addressOf(owner) === from)
  const isDepositOf = (from: Address): boolean =>
    (type === 'deposit' || type === 'suspenseDeposit') && areAllOwnedBy(from)
  const isLossFundingBy = (from: Address): boolean =>
    type === 'lossFunding' &&
    facts.mayFundLoss(from) &&
    others.every(({ kind, owner }) => kind === 'pool:loss' || facts.addressOf(owner) === from)
  switch (movement.kind) {
    case 'deposit':
      return isDepositOf(movement.from) || isLossFundingBy(movement.from)
    case 'payment':
      // A pledge is returned to its payer later, so its postings must be the payer's. A promotion's price is divided.
      return (
        (type === 'promotionPaid' && facts.payerOf(movement.orderId, movement.log.tx) === movement.from) ||
        (type === 'pledgePaid' && areAllOwnedBy(movement.from)) ||
        isDepositOf(movement.from)
      )
    case 'dividendFunding':
      return type === 'dividendFunding'
    case 'reserveFunding':
      return type === 'reserveFunding' && others.every(({ kind }) => kind === `reserve:${movement.reserve}`)
    case 'coldMove':
    case 'coldReturn':
    case 'burn':
    case 'writeOff':
      return type === movement.kind
    case 'payout': {
      const payout = facts.payoutOf(movement.payoutId)
      if (!payout || type !== PAID_TYPES[payout.kind]) return false
      return (
        payout.memberId === null || others.every(({ kind, owner }) => kind !== 'frozenOut' || owner === payout.memberId)
      )
    }
  }
}

const PAID_TYPES = {
  transfer: 'transferPaid',
  treasury: 'treasuryPaid',
  suspense: 'suspenseReturnPaid',
} as const satisfies Record<PayoutRow['kind'], PostedTransaction['type']>
