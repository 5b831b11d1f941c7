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
  /** If false, the skip is only recorded. */
  readonly stepsBack: boolean
}

export type Decided = {
  /** Includes payouts that were paid before, if the chain is read again. */
  readonly paid: readonly { readonly payout: PayoutRow; readonly movement: PayoutMovement }[]
  readonly skipped: readonly Skip[]
  readonly reverted: readonly PayoutRow[]
  /** Skipped payout ids that the pool does not have. */
  readonly unknown: readonly string[]
}

/** A token's refusal may be the fault of another payout, or temporary. So the payout is tried once more, alone. */
const TOKEN_FAILURES = 2

/** What is known about the chain transactions that skipped a payout. */
export type Known = {
  /** True if this log was read before; it counts once. */
  readonly isCounted: (tx: string, logIndex: number) => boolean
  /** The release that a chain transaction belongs to. */
  readonly releaseOf: (tx: string) => bigint | null
}

/**
 * Decides what final blocks mean for payouts. A skip takes a payout out of the release whose transaction skipped it,
 * and out of no other: after a backup is restored, the payout may be signed anew before the old skip is read. An
 * impossible event is returned in words and stops the watcher: money has left that the ledger still owes to a member.
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
