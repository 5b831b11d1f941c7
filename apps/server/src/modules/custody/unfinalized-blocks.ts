import { sql } from 'kysely'
import { type Address, toHex } from 'viem'
import { bytesOf } from '../../platform/chain/hex-column.ts'
import { idFromChain } from '../../platform/chain/id-on-chain.ts'
import { type Block, type ChainNode, NodeContradiction } from '../../platform/chain/node.ts'
import type { PoolContracts } from '../../platform/config/pool-contracts.ts'
import type { Database } from '../../platform/db/database.ts'
import { faultPoint } from '../../platform/faults/fault-point.ts'
import { type BlockRef, isSameBlock, lockStateAt } from './chain-state.ts'
import { interpretLogs, type Movement } from './interpret-logs.ts'
import { readPoolLogs } from './pool-logs.ts'

/** The most blocks read in one turn. */
const MAX_BLOCKS = 200n
const STORED_BLOCKS_PER_QUERY = 1_000

type UnfinalizedBlocksInput = {
  readonly db: Database
  readonly node: ChainNode
  readonly pool: PoolContracts
  readonly cold: ReadonlySet<Address>
  readonly posted: BlockRef
  readonly latest: Block
}

export type UnfinalizedBlocksResult = {
  readonly caughtUp: boolean
  /** How many stored blocks a reorganization has replaced. */
  readonly replacedBlocks: bigint
}

/**
 * Reads the blocks after the posted block, which are not final. Their payments are shown as confirming and are not
 * credited. The blocks are stored with their hashes, each the child of the one before. If the chain has replaced a
 * stored block, this block and all later ones are deleted, together with the payments and payouts that were seen in
 * them. The same database transaction inserts the new blocks.
 */
export async function readUnfinalizedBlocks({
  db,
  node,
  pool,
  cold,
  posted,
  latest,
}: UnfinalizedBlocksInput): Promise<UnfinalizedBlocksResult> {
  const tip = (await loadStoredBlocks(db, posted, null, 1))[0] ?? posted
  const base = await findLastCommonBlock(db, node, posted, latest)
  // A node that lags does not have the later blocks. They stay stored until a node has other blocks with their numbers.
  if (base.number === latest.number || latest.number < posted.number) return { caughtUp: true, replacedBlocks: 0n }
  const end = latest.number - base.number > MAX_BLOCKS ? base.number + MAX_BLOCKS : latest.number
  const caughtUp = end === latest.number
  const { to, value: logs } = await node.readRange(base.number + 1n, end, (from, to) =>
    readPoolLogs(node, pool, cold, from, to),
  )
  const blocks = await node.blocks(listBlockNumbers(base.number + 1n, to))
  const hashes = new Map<bigint, string>()
  let parent = base
  for (const block of blocks) {
    if (block.parentHash !== parent.hash) throw new NodeContradiction('the chain changed while it was read')
    hashes.set(block.number, block.hash)
    parent = block
  }
  for (const log of logs)
    if (hashes.get(log.blockNumber) !== log.blockHash)
      throw new NodeContradiction('a log has another block hash than the block that was read')

  const { movements } = interpretLogs(logs, pool, cold)
  const incoming = movements.filter(isIncoming)
  const isStored = await db.transaction().execute(async (trx) => {
    if (!(await lockStateAt(trx, posted))) return false
    // Another worker may have read further in the meantime.
    const tipNow = (await loadStoredBlocks(trx, posted, null, 1))[0] ?? posted
    if (!isSameBlock(tipNow, tip)) return false
    await sql`delete from lode.chain_block where number > ${base.number}`.execute(trx)
    await insertBlocks(trx, blocks)
    await insertIncoming(trx, incoming)
    await insertOutgoing(trx, movements)
    return true
  })
  faultPoint('worker:after-seen')
  return { caughtUp: caughtUp && to === end, replacedBlocks: isStored ? tip.number - base.number : 0n }
}

/** The highest stored block that the node has too; if there is none, the posted block, which was checked before. */
async function findLastCommonBlock(db: Database, node: ChainNode, posted: BlockRef, latest: Block): Promise<BlockRef> {
  let below = latest.number + 1n
  for (;;) {
    const storedBlocks: BlockRef[] = await loadStoredBlocks(db, posted, below, STORED_BLOCKS_PER_QUERY)
    for (const block of storedBlocks) {
      const found = block.number === latest.number ? latest : await node.block(block.number)
      if (!found) throw new NodeContradiction(`there is no block ${block.number} below ${latest.number}`)
      if (found.hash === block.hash) return block
    }
    const last = storedBlocks.at(-1)
    if (!last) return posted
    below = last.number
  }
}

/** The stored blocks after the posted one, newest first. */
async function loadStoredBlocks(
  db: Database,
  posted: BlockRef,
  below: bigint | null,
  limit: number,
): Promise<BlockRef[]> {
  const { rows } = await sql<{ number: bigint; hash: Buffer }>`
    select number, hash from lode.chain_block
    where number > ${posted.number} ${below === null ? sql`` : sql`and number < ${below}`}
    order by number desc limit ${limit}`.execute(db)
  return rows.map(({ number, hash }) => ({ number, hash: toHex(hash) }))
}

type IncomingMovement = Movement & { readonly from: Address }

/** Whether the sender sees the movement as confirming: a payment, or a deposit into the vault. */
const isIncoming = (movement: Movement): movement is IncomingMovement =>
  movement.kind === 'payment' || (movement.kind === 'deposit' && movement.into === 'vault')

async function insertBlocks(trx: Database, blocks: readonly Block[]): Promise<void> {
  await sql`
    insert into lode.chain_block (number, hash, time)
    select * from unnest(${blocks.map(({ number }) => String(number))}::bigint[],
                         ${blocks.map(({ hash }) => bytesOf(hash))}::bytea[],
                         ${blocks.map(({ time }) => time)}::timestamptz[])`.execute(trx)
}

async function insertIncoming(trx: Database, movements: readonly IncomingMovement[]): Promise<void> {
  await sql`
    insert into lode.chain_incoming (block_number, log_index, tx, account, asset, amount, order_id)
    select * from unnest(${movements.map(({ log }) => String(log.blockNumber))}::bigint[],
                         ${movements.map(({ log }) => log.logIndex)}::int[],
                         ${movements.map(({ log }) => bytesOf(log.tx))}::bytea[],
                         ${movements.map(({ from }) => bytesOf(from))}::bytea[],
                         ${movements.map(({ asset }) => asset)}::text[],
                         ${movements.map(({ amount }) => String(amount))}::numeric[],
                         ${movements.map(orderIdOf)}::uuid[])`.execute(trx)
}

/** The order id in the payment; null for a deposit. */
const orderIdOf = (movement: IncomingMovement): string | null =>
  movement.kind === 'payment' ? idFromChain(movement.orderId) : null

async function insertOutgoing(trx: Database, movements: readonly Movement[]): Promise<void> {
  const outgoing = movements.flatMap((movement) => {
    const id = movement.kind === 'payout' ? idFromChain(movement.payoutId) : null
    return id === null ? [] : [{ id, log: movement.log }]
  })
  await sql`
    insert into lode.chain_outgoing (block_number, log_index, payout_id, tx)
    select * from unnest(${outgoing.map(({ log }) => String(log.blockNumber))}::bigint[],
                         ${outgoing.map(({ log }) => log.logIndex)}::int[],
                         ${outgoing.map(({ id }) => id)}::uuid[],
                         ${outgoing.map(({ log }) => bytesOf(log.tx))}::bytea[])`.execute(trx)
}

function listBlockNumbers(first: bigint, last: bigint): bigint[] {
  return Array.from({ length: Number(last - first + 1n) }, (_, index) => first + BigInt(index))
}
