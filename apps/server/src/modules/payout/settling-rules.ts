import { isAddressEqual } from 'viem'
import { idFromChain } from '../../platform/chain/id-on-chain.ts'
import { formatCoins, type PoolContracts } from '../../platform/config/pool-contracts.ts'
import type { ImpossiblePayout, PayoutMovement, UnpaidPayout } from '../custody/index.ts'
import type { PayoutRow } from './payout-row.ts'

type PayoutEvent = (PayoutMovement & { readonly outcome: 'paid' }) | (UnpaidPayout & { readonly outcome: 'not paid' })

type Skip = {
  readonly payout: PayoutRow
  readonly tx: `0x${string}`
  readonly logIndex: number
  readonly reason: 'cap' | 'balance' | 'token'
  /** If false, the skip is recorded, but the payout stays where it is. */
  readonly stepsBack: boolean
}

export type PayoutOutcomes = {
  /** Includes payouts that were paid before, if the chain is read again. */
  readonly paid: readonly { readonly payout: PayoutRow; readonly movement: PayoutMovement }[]
  readonly skipped: readonly Skip[]
  readonly reverted: readonly PayoutRow[]
  /** Ids that the vault skipped, though the pool has no such payout, or refused as paid before, though the ledger does not. */
  readonly unknown: readonly string[]
}

/** A token may refuse because of another payout, or only for a while. So the payout is tried once more, alone. */
const MAX_TOKEN_FAILURES = 2

type TokensOfPool = Pick<PoolContracts, 'tokens'>

/** What the database knows about the chain transactions that skipped a payout. */
export type SkipFacts = {
  /** True if this log was read before. A skip counts only once. */
  readonly isCounted: (tx: string, logIndex: number) => boolean
  /** The release that a chain transaction belongs to. */
  readonly releaseOf: (tx: string) => bigint | null
}

/**
 * Decides what the vault logs of final blocks mean for payouts. A skip takes a payout out of the release whose chain
 * transaction skipped it, and out of no other: after a restore from backup, the payout may be in a new release before
 * the old skip is read. `impossible` describes a payment by the vault that contradicts the ledger: nobody asked for it,
 * its terms differ, or its payout has ended. It stops the asset. A refusal moves no money, so it stops nothing: if the
 * ledger lacks the first payment, its asset stops because custody differs, and otherwise operators wrote it off.
 */
export function decideOutcomes(
  rows: readonly PayoutRow[],
  events: readonly PayoutEvent[],
  { isCounted, releaseOf }: SkipFacts,
  pool: TokensOfPool,
): PayoutOutcomes | ImpossiblePayout {
  const payouts = new Map(rows.map((row) => [row.id, row]))
  const paid: { payout: PayoutRow; movement: PayoutMovement }[] = []
  const skipped: Skip[] = []
  const reverted: PayoutRow[] = []
  const unknown: string[] = []
  const inOrder = events.toSorted(
    (one, other) => Number(one.log.blockNumber - other.log.blockNumber) || one.log.logIndex - other.log.logIndex,
  )
  for (const event of inOrder) {
    const { tx, logIndex } = event.log
    const payout = payouts.get(idFromChain(event.payoutId) ?? '')
    if (event.outcome === 'paid') {
      const impossible = findPaymentMismatch(event, payout, pool)
      if (impossible !== null || !payout) return { impossible: impossible ?? 'there is no payout', movement: event }
      paid.push({ payout, movement: event })
      payouts.set(payout.id, { ...payout, ended: 'final', paidTx: tx, paidLogIndex: logIndex })
    } else if (event.reason === 'repeated') {
      if (payout?.ended !== 'final') unknown.push(event.payoutId)
    } else if (!payout) unknown.push(event.payoutId)
    else if (!isCounted(tx, logIndex)) {
      const stepsBack = payout.ended === null && payout.releaseNumber !== null && payout.releaseNumber === releaseOf(tx)
      skipped.push({ payout, tx, logIndex, reason: event.reason, stepsBack })
      if (!stepsBack) continue
      const tokenFailures = payout.tokenFailures + (event.reason === 'token' ? 1 : 0)
      const isReverted = event.reason === 'token' && tokenFailures >= MAX_TOKEN_FAILURES
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

/** Returns why a payment by the vault contradicts its payout, or null. The payout may still be open. */
export function findPaymentMismatch(
  { payoutId, asset, amount, to, log }: PayoutMovement,
  payout: PayoutRow | undefined,
  pool: TokensOfPool,
): string | null {
  const paid = `${formatCoins(pool, asset, amount)} to ${to}`
  if (!payout) return `payout ${payoutId} of ${paid}, which nobody asked for`
  if (payout.asset !== asset || payout.amount !== amount || !isAddressEqual(payout.address, to))
    return `payout ${payout.id} is ${formatCoins(pool, payout.asset, payout.amount)} to ${payout.address}, and the vault paid ${paid}`
  if (payout.ended === null) return null
  if (payout.ended === 'final' && payout.paidTx === log.tx && payout.paidLogIndex === log.logIndex) return null
  return `payout ${payout.id} is ${payout.ended}, and the vault paid it`
}
