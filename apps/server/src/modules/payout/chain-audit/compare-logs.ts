import { sql } from 'kysely'
import type { Address } from 'viem'
import { idFromChain } from '../../../platform/chain/id-on-chain.ts'
import type { Block } from '../../../platform/chain/node.ts'
import { formatCoins, type PoolContracts } from '../../../platform/config/pool-contracts.ts'
import { chainLogKey, type InterpretedLogs, type Movement, type PayoutMovement } from '../../custody/index.ts'
import { readTransactionsByKey } from '../../ledger/index.ts'
import { type PayoutRow, readPayouts } from '../payout-row.ts'
import { readFunderSince, readProofFacts } from '../proof.ts'
import { findContradiction } from '../proof-rules.ts'
import { readReversalOf } from '../reversed-postings.ts'
import { findPaymentMismatch } from '../settling-rules.ts'
import type { ChainAudit } from './audit-context.ts'

/**
 * Compares the logs of a range of final blocks with the ledger and the payouts. Logs after the posted block are not in
 * the ledger yet. But a payment by the vault must have its payout even then, because the signer stores the payout
 * before it sends anything.
 */
export async function compareLogs(audit: ChainAudit, { movements, problems }: InterpretedLogs): Promise<void> {
  for (const { log, text } of problems)
    audit.findings.add('the ledger cannot explain a log of the chain', `${text}, log ${log.logIndex} of ${log.tx}`)
  await compareWithLedger(
    audit,
    movements.filter(({ log }) => log.blockNumber <= audit.posted),
  )
  await compareWithPayouts(
    audit,
    movements.filter((movement) => movement.kind === 'payout'),
  )
}

async function compareWithLedger(audit: ChainAudit, movements: readonly Movement[]): Promise<void> {
  const { db, chainId, contracts, findings, foundTransactions } = audit
  // If a node gave the worker no vault log, the worker posted the money under the index of the token's Transfer log.
  const keysOf = ({ log, transferIndex }: Movement): string[] =>
    [log.logIndex, transferIndex]
      .filter((index) => index !== undefined)
      .map((index) => chainLogKey(chainId, log.tx, index))
  const posted = await readTransactionsByKey(db, movements.flatMap(keysOf))
  for (const movement of movements) {
    const found = keysOf(movement).flatMap((key) => posted.get(key) ?? [])
    for (const { id } of found) foundTransactions.add(id)
    const [first, second] = found
    if (!first) findings.add('a log of the chain is not in the ledger', describeMovement(movement, contracts))
    else if (second)
      findings.add('the same money is posted twice, under both of its logs', describeMovement(movement, contracts))
    else {
      const { transaction } = first
      if ((await readReversalOf(db, transaction)) !== null)
        findings.add('a posting was undone, and the chain has its log', `${transaction.type} ${transaction.key}`)
      // The audit compares the recorded funders with the vault's events elsewhere (compareRecords).
      const isFunder = async (address: Address) => (await readFunderSince(db, address)) !== null
      const facts = await readProofFacts(db, transaction, movement, isFunder)
      const problem = findContradiction(transaction, movement, facts)
      if (problem)
        findings.add('a ledger transaction contradicts its log', `${transaction.type} ${transaction.key}: ${problem}`)
    }
  }
}

async function compareWithPayouts(audit: ChainAudit, payments: readonly PayoutMovement[]): Promise<void> {
  const { db, node, contracts, posted, findings, foundPayouts } = audit
  if (payments.length === 0) return
  const ids = payments.flatMap(({ payoutId }) => idFromChain(payoutId) ?? [])
  const rows = await readPayouts(db, sql`where id = any (${ids}::uuid[])`)
  const payouts = new Map(rows.map((row) => [row.id, row]))
  const numbers = Array.from(new Set(payments.map(({ log }) => log.blockNumber)))
  const blocks = new Map((await node.blocks(numbers)).map((block) => [block.number, block]))
  for (const payment of payments) {
    const payout = payouts.get(idFromChain(payment.payoutId) ?? '')
    const problem =
      findPaymentMismatch(payment, payout, contracts) ??
      (payout && describeWrongEnd(payout, blocks.get(payment.log.blockNumber), payment.log.blockNumber <= posted))
    if (problem) findings.add('a payment by the vault contradicts the payouts', `${problem} (${payment.log.tx})`)
    if (payout?.paidTx === payment.log.tx && payout.paidLogIndex === payment.log.logIndex)
      foundPayouts.add(payout.number)
  }
}

/** The payment is right. Returns what is wrong with how the payout row has ended, or null. */
function describeWrongEnd(payout: PayoutRow, block: Block | undefined, isPosted: boolean): string | null {
  if (payout.ended === null) return isPosted ? `payout ${payout.id} is open, and the vault paid it` : null
  if (payout.paidAt?.getTime() === block?.time.getTime()) return null
  return `payout ${payout.id} names ${payout.paidAt?.toISOString()} as the time of its payment, and the block has ${block?.time.toISOString()}`
}

const describeMovement = ({ kind, amount, asset, log }: Movement, pool: PoolContracts): string =>
  `${kind} of ${formatCoins(pool, asset, amount)}, log ${log.logIndex} of ${log.tx} in block ${log.blockNumber}`
