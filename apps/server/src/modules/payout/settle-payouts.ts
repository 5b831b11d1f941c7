import { units } from '@lode/kernel'
import { sql } from 'kysely'
import type { Hex } from 'viem'
import { bytesOf } from '../../platform/chain/hex-column.ts'
import { idFromChain } from '../../platform/chain/id-on-chain.ts'
import type { Database } from '../../platform/db/database.ts'
import { faultPoint } from '../../platform/faults/fault-point.ts'
import { chainLogKey, chainLogTerms, type PayoutMovement, type PayoutSettlement } from '../custody/index.ts'
import { amountOf, type Transaction } from '../ledger/index.ts'
import { type PayoutRow, readPayouts } from './payout-row.ts'
import { restoreLostPayouts } from './restore/restore-lost.ts'
import type { SettlementContext } from './settlement-context.ts'
import { decideOutcomes, type PayoutOutcomes, type SkipFacts } from './settling-rules.ts'

/**
 * Runs in the transaction that posts final blocks. Ends paid payouts, makes skipped payouts step back, and reverts
 * those that their token has refused twice. After a restore it first makes the payouts again that the database lost.
 */
export const settlePayouts =
  (context: SettlementContext): PayoutSettlement['settle'] =>
  async (trx, chainId, { paid, notPaid, timeOf }) => {
    const setAside = await restoreLostPayouts(context, trx, paid)
    const ids = new Set([...paid, ...notPaid].flatMap(({ payoutId }) => idFromChain(payoutId) ?? []))
    await sql`select lode.lock_payouts(${Array.from(ids)}::uuid[])`.execute(trx)
    const rows = await readPayouts(trx, sql`where id = any (${Array.from(ids)}::uuid[])`)
    const facts = await readSkipFacts(
      trx,
      notPaid.map(({ log: { tx, logIndex } }) => ({ tx, logIndex })),
    )
    const decided = decideOutcomes(
      rows,
      [
        ...paid.map((movement) => ({ ...movement, outcome: 'paid' as const })),
        ...notPaid.map((skip) => ({ ...skip, outcome: 'not paid' as const })),
      ],
      facts,
      context.contracts,
    )
    if ('impossible' in decided) return decided
    const entries = [
      ...setAside.map(({ transaction }) => transaction),
      ...decided.paid.map(({ payout, movement }) => buildPaidTransaction(payout, movement, chainId)),
      ...decided.reverted.map(context.buildUnfreeze),
    ]
    const movementOf = new Map(setAside.map(({ transaction, movement }) => [transaction, movement]))
    return {
      payoutTransactions: entries,
      paymentOf: (transaction) => movementOf.get(transaction),
      finish: () => writeOutcomes(context, trx, decided, timeOf),
    }
  }

/** Writes the outcomes of the payouts, after their ledger transactions are posted. */
async function writeOutcomes(
  { metrics, log }: SettlementContext,
  trx: Database,
  decided: PayoutOutcomes,
  timeOf: (block: bigint) => Date,
): Promise<void> {
  faultPoint('worker:before-settle')
  for (const { payout, movement } of decided.paid) {
    if (payout.ended !== null) continue
    const { tx, logIndex, blockNumber } = movement.log
    await sql`
      select lode.settle_payout(${payout.id}, ${bytesOf(tx)}, ${logIndex}, ${timeOf(blockNumber)})`.execute(trx)
  }
  for (const { payout, tx, logIndex, reason } of decided.skipped)
    await sql`select lode.step_back(${payout.id}, ${bytesOf(tx)}, ${logIndex}, ${reason})`.execute(trx)
  for (const { id, kind } of decided.reverted)
    await (kind === 'transfer'
      ? sql`select lode.revert_transfer(${id})`.execute(trx)
      : sql`select lode.revert_payment(${id})`.execute(trx))
  faultPoint('worker:after-settle')
  for (const { payout, reason } of decided.skipped) {
    metrics.stepsBack.inc({ reason })
    log.warn({ payout: payout.id, reason }, 'the vault did not pay')
  }
  for (const { id } of decided.reverted) log.error({ payout: id }, 'the token refused a payout twice: reverted')
  for (const id of decided.unknown)
    log.error(
      { id },
      'the vault refused a payout that this pool does not have, or not as paid: is the payer’s key used elsewhere?',
    )
}

/** Reads which of these logs are already stored as skips, and to which release each chain transaction belongs. */
async function readSkipFacts(
  trx: Database,
  logs: readonly { readonly tx: Hex; readonly logIndex: number }[],
): Promise<SkipFacts> {
  const txs = logs.map(({ tx }) => bytesOf(tx))
  const { rows: skips } = await sql<{ log: string }>`
    select '0x' || encode(skip.tx, 'hex') || ':' || skip.log_index as log
    from unnest(${txs}::bytea[], ${logs.map(({ logIndex }) => logIndex)}::int[]) as given (tx, log_index)
    join lode.payout_skip skip on skip.tx = given.tx and skip.log_index = given.log_index`.execute(trx)
  const { rows: forms } = await sql<{ tx: string; release: bigint }>`
    select '0x' || encode(hash, 'hex') as tx, release_number as release
    from lode.release_form where hash = any (${txs}::bytea[])`.execute(trx)
  const counted = new Set(skips.map(({ log }) => log))
  const releases = new Map(forms.map(({ tx, release }) => [tx, release]))
  return {
    isCounted: (tx, logIndex) => counted.has(`${tx}:${logIndex}`),
    releaseOf: (tx) => releases.get(tx) ?? null,
  }
}

/** Once a transfer is paid, its fee belongs to the pool: a part is to be burned, the rest is for operations. */
function buildPaidTransaction(payout: PayoutRow, movement: PayoutMovement, chainId: number): Transaction {
  const { asset, fee, feeBurned } = payout
  const log = { key: chainLogKey(chainId, movement.log.tx, movement.log.logIndex), terms: chainLogTerms(movement) }
  const paid = { ...amountOf(asset, payout.amount), to: 'custody:vault' } as const
  switch (payout.kind) {
    case 'treasury':
      return { ...log, type: 'treasuryPaid', moves: [{ ...paid, from: 'pool:paying' }] }
    case 'suspense':
      return { ...log, type: 'suspenseReturnPaid', moves: [{ ...paid, from: 'suspense:returning' }] }
    case 'transfer': {
      const { id, memberId: member } = payout
      if (member === null) throw new Error(`transfer ${id} has no member`)
      const line = { type: 'transferOut', operation: id, fee: units(asset, fee) } as const
      const from = { kind: 'frozenOut', member, line } as const
      const rest = fee - feeBurned
      return {
        ...log,
        type: 'transferPaid',
        moves: [
          { ...paid, from },
          ...(rest > 0n ? [{ ...amountOf(asset, rest), from, to: 'pool:operations' } as const] : []),
          ...(feeBurned > 0n ? [buildBurnedFeeMove(payout, member)] : []),
        ],
      }
    }
  }
}

/** Only BTN is ever burned. */
function buildBurnedFeeMove({ id, asset, fee, feeBurned }: PayoutRow, member: bigint) {
  if (asset !== 'BTN') throw new Error(`transfer ${id} burns a part of its fee in ${asset}`)
  const line = { type: 'transferOut', operation: id, fee: units(asset, fee) } as const
  const from = { kind: 'frozenOut', member, line } as const
  return { asset, amount: units(asset, feeBurned), from, to: 'burn:due' } as const
}
