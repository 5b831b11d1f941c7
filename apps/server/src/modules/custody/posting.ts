import { sql } from 'kysely'
import { type Address, getAddress, toHex } from 'viem'
import { bytesOf } from '../../platform/chain/column.ts'
import type { Block } from '../../platform/chain/node.ts'
import type { Database } from '../../platform/db/database.ts'
import { faultPoint } from '../../platform/faults/fault-point.ts'
import { post, type Transaction } from '../ledger/index.ts'
import { lockAddresses } from './address-lock.ts'
import { addSingleSource } from './agreement.ts'
import { entryOf } from './entries.ts'
import type { Movement, PoolAddress } from './rules.ts'
import { type BlockRef, movePosted, stillAt } from './state.ts'

/** The chain says something that the books cannot follow. Thrown through the transaction, which leaves nothing behind. */
export class CannotGoOn extends Error {}

/** A run of final blocks, and all that is in them. */
export type FinalBlocks = {
  readonly after: BlockRef
  readonly last: Block
  readonly movements: readonly Movement[]
  readonly poolAddresses: readonly PoolAddress[]
  /** The times of the blocks that hold something. */
  readonly timeOf: (blockNumber: bigint) => Date
  readonly node: string
  /** What of it only that node has said. */
  readonly alone: readonly Movement[]
}

/**
 * Puts final blocks into the books: every log's transaction and the posted block, in one database transaction, or nothing.
 * Answers false where another worker was faster.
 */
export async function postBlocks(db: Database, chainId: number, blocks: FinalBlocks): Promise<boolean> {
  const posted = await db.transaction().execute(async (inside) => {
    if (!(await stillAt(inside, blocks.after))) return false
    const senders = blocks.movements.flatMap((movement) => ('from' in movement ? [movement.from] : []))
    await lockAddresses(inside, senders)
    const members = await membersOf(inside, senders)
    const entries = blocks.movements.map((movement) => {
      const entry = entryOf(movement, chainId, (address) => members.get(address))
      if ('unbookable' in entry) throw new CannotGoOn(`${entry.unbookable} (${movement.log.tx})`)
      return entry
    })
    if (entries.length > 0) {
      faultPoint('worker:before-credit')
      await postAll(inside, entries)
      faultPoint('worker:after-credit')
    }
    await keepFacts(inside, blocks)
    // What was only seen in these blocks is now in the books.
    await sql`delete from lode.chain_block where number <= ${blocks.last.number}`.execute(inside)
    faultPoint('worker:before-posted-block')
    await movePosted(inside, blocks.last)
    return true
  })
  faultPoint('worker:after-commit')
  return posted
}

async function postAll(inside: Database, entries: readonly Transaction[]): Promise<void> {
  const outcomes = await post(inside, entries, { together: true })
  outcomes.forEach(({ outcome }, place) => {
    if (outcome === 'posted' || outcome === 'repeated' || outcome === 'undone') return
    // Burned more than was due, or a log's key spent on something else: the books and the chain have come apart.
    throw new CannotGoOn(`the ledger answers "${outcome}" to ${entries[place]?.type} ${entries[place]?.key}`)
  })
}

async function membersOf(inside: Database, addresses: readonly Address[]): Promise<Map<Address, bigint>> {
  if (addresses.length === 0) return new Map()
  const { rows } = await sql<{ id: bigint; account: Buffer }>`
    select id, account from lode.member where account = any (${addresses.map(bytesOf)}::bytea[])`.execute(inside)
  return new Map(rows.map(({ id, account }) => [getAddress(toHex(account)), id]))
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
    if (movement.kind !== 'dividendFunding') continue
    const { log, day, from, amount, evidence } = movement
    await sql`
      insert into lode.dividend_funding
        (tx, log_index, block_number, block_time, day, funder, amount, bitcoin_txid, bitcoin_output)
      values (${bytesOf(log.tx)}, ${log.logIndex}, ${log.blockNumber}, ${timeOf(log.blockNumber)}, ${day},
              ${bytesOf(from)}, ${String(amount)}::numeric, ${bytesOf(evidence.txid)}, ${evidence.output})`.execute(
      inside,
    )
  }
  await addSingleSource(inside, node, alone)
}
