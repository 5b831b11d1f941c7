import { isAddressEqual } from 'viem'
import { idFromChain } from '../../platform/chain/id-on-chain.ts'
import type { NotPaid, PayoutMovement } from '../custody/index.ts'
import type { PayoutRow } from './row.ts'

type News = (PayoutMovement & { readonly what: 'paid' }) | (NotPaid & { readonly what: 'not paid' })

type Skip = {
  readonly payout: PayoutRow
  readonly tx: `0x${string}`
  readonly logIndex: number
  readonly reason: 'cap' | 'balance' | 'token'
  /** Otherwise it is only written down. */
  readonly stepsBack: boolean
}

export type Decided = {
  /** With those that were paid before, of which the chain is read again. */
  readonly paid: readonly { readonly payout: PayoutRow; readonly movement: PayoutMovement }[]
  readonly skipped: readonly Skip[]
  readonly reverted: readonly PayoutRow[]
  /** Skipped ids that none of our payouts has. */
  readonly unknown: readonly string[]
}

/** A token's refusal may have been another's fault, or of that hour: it is tried once more, alone. */
const TOKEN_FAILURES = 2

/** What is known of the transactions that skipped something. */
export type Known = {
  /** This log was read before, and counts once. */
  readonly isCounted: (tx: string, logIndex: number) => boolean
  /** Of which release a transaction is a form. */
  readonly releaseOf: (tx: string) => bigint | null
}

/**
 * What becomes of payouts by what final blocks say. A skip takes a payout out of the release whose transaction skipped it and
 * out of no other: after a backup was restored, it may have been signed anew before the old skip is read. What cannot be is said
 * in words, and is a reason to stop: money has left of which the books say that it is somebody's.
 */
export function decide(
  rows: readonly PayoutRow[],
  news: readonly News[],
  { isCounted, releaseOf }: Known,
): Decided | { readonly impossible: string } {
  const payouts = new Map(rows.map((row) => [row.id, row]))
  const paid: { payout: PayoutRow; movement: PayoutMovement }[] = []
  const skipped: Skip[] = []
  const reverted: PayoutRow[] = []
  const unknown: string[] = []
  const inOrder = news.toSorted(
    (one, other) => Number(one.log.blockNumber - other.log.blockNumber) || one.log.logIndex - other.log.logIndex,
  )
  for (const told of inOrder) {
    const { tx, logIndex } = told.log
    const payout = payouts.get(idFromChain(told.payoutId) ?? '')
    if (told.what === 'paid') {
      const impossible = whyNotPaid(told, payout)
      if (impossible !== null || !payout) return { impossible: `${impossible} (${tx})` }
      paid.push({ payout, movement: told })
      payouts.set(payout.id, { ...payout, ended: 'final', paidTx: tx, paidLogIndex: logIndex })
    } else if (told.reason === 'repeated') {
      if (payout?.ended !== 'final')
        return { impossible: `the vault has paid ${told.payoutId} before, and the books have not (${tx})` }
    } else if (!payout) unknown.push(told.payoutId)
    else if (!isCounted(tx, logIndex)) {
      const stepsBack = payout.ended === null && payout.releaseNumber !== null && payout.releaseNumber === releaseOf(tx)
      skipped.push({ payout, tx, logIndex, reason: told.reason, stepsBack })
      if (!stepsBack) continue
      const tokenFailures = payout.tokenFailures + (told.reason === 'token' ? 1 : 0)
      const isReverted = told.reason === 'token' && tokenFailures >= TOKEN_FAILURES
      payouts.set(payout.id, {
        ...payout,
        tokenFailures,
        releaseNumber: null,
        ...(isReverted ? { ended: 'reverted' } : {}),
      })
      if (isReverted) reverted.push(payout)
    }
  }
  return { paid, skipped, reverted, unknown }
}

function whyNotPaid(
  { payoutId, asset, amount, to, log }: PayoutMovement,
  payout: PayoutRow | undefined,
): string | null {
  if (!payout) return `payout ${payoutId} of ${amount} ${asset} to ${to}, which nobody asked for`
  if (payout.asset !== asset || payout.amount !== amount || !isAddressEqual(payout.address, to))
    return `payout ${payout.id} is ${payout.amount} ${payout.asset} to ${payout.address}, and the vault paid ${amount} ${asset} to ${to}`
  if (payout.ended === null) return null
  if (payout.ended === 'final' && payout.paidTx === log.tx && payout.paidLogIndex === log.logIndex) return null
  return `payout ${payout.id} is ${payout.ended}, and the vault paid it`
}
