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

/** The chain contradicts the ledger. Rolls back the posting transaction; the watcher then stops. */
export class CannotGoOn extends Error {}

/** A run of final blocks with everything that was read from them. */
export type FinalBlocks = {
  readonly after: BlockRef
  readonly last: Block
  readonly movements: readonly Movement[]
  readonly notPaid: readonly NotPaid[]
  readonly poolAddresses: readonly PoolAddress[]
  /** The times of the blocks that have logs. */
  readonly timeOf: (blockNumber: bigint) => Date
  readonly node: string
  /** The movements that only this node reported. */
  readonly alone: readonly Movement[]
  /** The vault's balances at the last block; null if the node no longer has that state. */
  readonly held: Held | null
}

/** `checked`: the vault's balances agree with the ledger. `elsewhere`: another worker posted these blocks first. */
type Posting = 'checked' | 'unchecked' | 'elsewhere'

/** Enough for one block with ten thousand logs on a busy machine. No other statement takes that long. */
const LONGEST_STATEMENT = '120s'

/** Posts final blocks in one database transaction: the ledger transaction of every log, and the new posted block. */
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
    // These blocks are posted, so their rows for non-final blocks are no longer needed.
    await sql`delete from lode.chain_block where number <= ${blocks.last.number}`.execute(inside)
    faultPoint('worker:before-posted-block')
    await movePosted(inside, blocks.last)
    // After a rewind the ledger is ahead of the posted block, so the two cannot be compared until it has caught up.
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
 * After a rewind, blocks are read again, and the same money must not be posted twice. One reading may have posted the
 * Transfer alone, and the other may now see the vault event about it. Such a vault event is left out. If the ledger has
 * a log of these transactions that the node does not return now, the node is leaving out logs.
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

/** Posts all entries. Returns those that were not posted for lack of money, which only `mayLack` entries may be. */
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
    // For example, more was burned than was due, or the log's key was used with other terms: ledger and chain disagree.
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
