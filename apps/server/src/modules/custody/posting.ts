import { sql } from 'kysely'
import type { Address } from 'viem'
import { addressFromColumn, bytesOf } from '../../platform/chain/column.ts'
import { type Block, NodeContradiction } from '../../platform/chain/node.ts'
import type { Database } from '../../platform/db/database.ts'
import { faultPoint } from '../../platform/faults/fault-point.ts'
import { post, type Transaction } from '../ledger/index.ts'
import { lockAddresses } from './address-lock.ts'
import { addSingleSource } from './agreement.ts'
import { type Held, VaultDiffers, vaultDifferences } from './balance-check.ts'
import { entryOf, keyOf } from './entries.ts'
import type { Movement, NotPaid, PaymentMovement, PayoutMovement, PoolAddress } from './rules.ts'
import type { Settled, SettledPayments, Settlements } from './settlement.ts'
import { type BlockRef, markChecked, movePosted, stillAt } from './state.ts'

/** The chain says something that the books cannot follow. Thrown through the transaction, which leaves nothing behind. */
export class CannotGoOn extends Error {}

/** A run of final blocks, and all that is in them. */
export type FinalBlocks = {
  readonly after: BlockRef
  readonly last: Block
  readonly movements: readonly Movement[]
  readonly notPaid: readonly NotPaid[]
  readonly poolAddresses: readonly PoolAddress[]
  /** The times of the blocks that hold something. */
  readonly timeOf: (blockNumber: bigint) => Date
  readonly node: string
  /** What of it only that node has said. */
  readonly alone: readonly Movement[]
  /** What the vault holds at the last block, or null where the node does not know any more. */
  readonly held: Held | null
}

/** `checked`: what the vault holds was compared. `elsewhere`: another worker was faster. */
type Posting = 'checked' | 'unchecked' | 'elsewhere'

/** Of one block with ten thousand logs, on a busy machine. Nothing that is asked otherwise takes as long. */
const LONGEST_STATEMENT = '120s'

/**
 * Puts final blocks into the books: every log's transaction and the posted block, in one database transaction, or nothing.
 */
export async function postBlocks(
  db: Database,
  chainId: number,
  given: FinalBlocks,
  settlements: Settlements,
): Promise<Posting> {
  const posting = await db.transaction().execute(async (inside): Promise<Posting> => {
    await sql`
      select set_config('statement_timeout', ${LONGEST_STATEMENT}, true),
             set_config('lock_timeout', ${LONGEST_STATEMENT}, true),
             set_config('idle_in_transaction_session_timeout', ${LONGEST_STATEMENT}, true)`.execute(inside)
    const state = await stillAt(inside, given.after)
    if (!state) return 'elsewhere'
    const blocks = { ...given, movements: await withoutRetold(inside, chainId, given, state.booked) }
    const senders = blocks.movements.flatMap((movement) => ('from' in movement ? [movement.from] : []))
    await lockAddresses(inside, senders)
    const members = await membersOf(inside, senders)
    const payouts = await settlePayouts(inside, chainId, blocks, settlements)
    const payments = await settlePayments(inside, chainId, blocks, settlements)
    const entries = blocks.movements.filter(isNoPayout).flatMap((movement) => {
      const instead = movement.kind === 'payment' ? payments.insteadOf(movement) : undefined
      if (instead) return instead
      const entry = entryOf(movement, chainId, (address) => members.get(address))
      if ('unbookable' in entry) throw new CannotGoOn(`${entry.unbookable} (${movement.log.tx})`)
      return [entry]
    })
    const all = [...entries, ...payouts.entries, ...payments.besides]
    let lacking: ReadonlySet<Transaction> = new Set()
    if (all.length > 0) {
      faultPoint('worker:before-credit')
      lacking = await postAll(inside, all, payments)
      faultPoint('worker:after-credit')
    }
    await payouts.finish()
    await payments.finish((transaction) => !lacking.has(transaction))
    await keepFacts(inside, blocks)
    // What was only seen in these blocks is now in the books.
    await sql`delete from lode.chain_block where number <= ${blocks.last.number}`.execute(inside)
    faultPoint('worker:before-posted-block')
    await movePosted(inside, blocks.last)
    // Read again from an earlier block, the books are ahead of the chain until they have come to where they were.
    if (!blocks.held || blocks.last.number < state.booked) return 'unchecked'
    const differences = await vaultDifferences(inside, blocks.held)
    if (differences.length > 0) throw new VaultDiffers(blocks.last.number, blocks.node, differences)
    await markChecked(inside, blocks.last)
    return 'checked'
  })
  faultPoint('worker:after-commit')
  return posting
}

const isPayout = (movement: Movement): movement is PayoutMovement => movement.kind === 'payout'
const isNoPayout = (movement: Movement): movement is Exclude<Movement, PayoutMovement> => !isPayout(movement)

async function settlePayouts(
  inside: Database,
  chainId: number,
  { movements, notPaid, timeOf }: FinalBlocks,
  settlements: Settlements,
): Promise<Settled> {
  const paid = movements.filter(isPayout)
  if (paid.length + notPaid.length === 0) return { entries: [], finish: async () => {} }
  const settled = await settlements.payouts.settle(inside, chainId, { paid, notPaid, timeOf })
  if ('impossible' in settled) throw new CannotGoOn(settled.impossible)
  return settled
}

function settlePayments(
  inside: Database,
  chainId: number,
  { movements, timeOf }: FinalBlocks,
  settlements: Settlements,
): Promise<SettledPayments> {
  const payments = movements.filter((movement): movement is PaymentMovement => movement.kind === 'payment')
  return settlements.payments.settle(inside, chainId, { payments, timeOf })
}

/**
 * Blocks that are read again must not bring money twice that one reading knew by the Transfer alone and the other by what the
 * vault tells of it. What is told now of a Transfer that was booked by itself is left out; a log that is in the books and is
 * not given again is one that the node keeps back.
 */
async function withoutRetold(
  inside: Database,
  chainId: number,
  { movements, node }: FinalBlocks,
  booked: bigint,
): Promise<readonly Movement[]> {
  const again = movements.filter(({ log }) => log.blockNumber <= booked)
  if (again.length === 0) return movements
  const transactions = Array.from(new Set(again.map(({ log }) => `chain:${chainId}:${log.tx}`)))
  const { rows } = await sql<{ key: string }>`
    select spent.key from unnest(${transactions}::text[]) as given (transaction)
    join lode.ledger_transaction spent
      on spent.member = 0 and spent.key > given.transaction || ':' and spent.key < given.transaction || ';'`.execute(
    inside,
  )
  const transferKey = ({ log, transferIndex }: Movement): string =>
    keyOf(chainId, log.tx, transferIndex ?? log.logIndex)
  const given = new Set(again.flatMap((one) => [keyOf(chainId, one.log.tx, one.log.logIndex), transferKey(one)]))
  const kept = rows.find(({ key }) => !given.has(key))
  if (kept) throw new NodeContradiction(`${node} does not give the log ${kept.key}, which is in the books`)
  const spent = new Set(rows.map(({ key }) => key))
  return movements.filter((one) => one.transferIndex === undefined || !spent.has(transferKey(one)))
}

/** Answers those for which there was not enough, and which may lack. */
async function postAll(
  inside: Database,
  entries: readonly Transaction[],
  { mayLack }: SettledPayments,
): Promise<ReadonlySet<Transaction>> {
  const outcomes = await post(inside, entries)
  const lacking = new Set<Transaction>()
  outcomes.forEach(({ outcome }, place) => {
    const entry = entries[place]
    if (!entry || outcome === 'posted' || outcome === 'repeated') return
    // Burned more than was due, or a log's key spent on something else: the books and the chain have come apart.
    if (outcome !== 'insufficient' || !mayLack(entry))
      throw new CannotGoOn(`the ledger answers "${outcome}" to ${entry.type} ${entry.key}`)
    lacking.add(entry)
  })
  return lacking
}

async function membersOf(inside: Database, addresses: readonly Address[]): Promise<Map<Address, bigint>> {
  if (addresses.length === 0) return new Map()
  const { rows } = await sql<{ id: bigint; account: Buffer }>`
    select id, account from lode.member where account = any (${addresses.map(bytesOf)}::bytea[])`.execute(inside)
  return new Map(rows.map(({ id, account }) => [addressFromColumn(account), id]))
}

async function keepFacts(
  inside: Database,
  { movements, poolAddresses, timeOf, node, alone }: FinalBlocks,
): Promise<void> {
  for (const { address, role, sinceBlock } of poolAddresses)
    await sql`
      insert into lode.pool_address (address, role, since_block) values (${bytesOf(address)}, ${role}, ${sinceBlock})
      on conflict do nothing`.execute(inside)
  for (const movement of movements) {
    if (movement.kind === 'burn')
      await sql`
        insert into lode.chain_burn (tx, log_index, amount)
        values (${bytesOf(movement.log.tx)}, ${movement.log.logIndex}, ${String(movement.amount)}::numeric)
        on conflict do nothing`.execute(inside)
    if (movement.kind !== 'dividendFunding') continue
    const { log, day, from, amount, evidence } = movement
    await sql`
      insert into lode.dividend_funding
        (tx, log_index, block_number, block_time, day, funder, amount, bitcoin_txid, bitcoin_output)
      values (${bytesOf(log.tx)}, ${log.logIndex}, ${log.blockNumber}, ${timeOf(log.blockNumber)}, ${day},
              ${bytesOf(from)}, ${String(amount)}::numeric, ${bytesOf(evidence.txid)}, ${evidence.output})
      on conflict (tx, log_index) do nothing`.execute(inside)
  }
  await addSingleSource(inside, node, alone)
}
