import { sql } from 'kysely'
import { type Address, type Hex, toHex } from 'viem'
import { addressFromColumn, bytesOf } from '../../platform/chain/column.ts'
import type { Block } from '../../platform/chain/node.ts'
import type { Database } from '../../platform/db/database.ts'

export type BlockRef = { readonly number: bigint; readonly hash: Hex }

/** What the books know of the chain: which one it is, how far it is posted, and whether that was stopped. */
export type ChainState = {
  readonly chainId: number
  readonly vault: Address
  readonly genesisHash: Hex
  readonly postedNumber: bigint
  readonly postedTime: Date
  /** Null where an operator has set it back: which block that is on the chain is still to be asked. */
  readonly posted: BlockRef | null
  /** The last block that was ever posted. Where the posted block was set back, all up to here is read again. */
  readonly booked: bigint
  readonly stoppedReason: string | null
}

type Row = {
  chain_id: bigint
  vault: Buffer
  genesis_hash: Buffer
  posted_number: bigint
  posted_hash: Buffer | null
  posted_time: Date
  booked_number: bigint
  stopped_reason: string | null
}

export async function readState(db: Database, { lock = false } = {}): Promise<ChainState | null> {
  const { rows } = await sql<Row>`
    select chain_id, vault, genesis_hash, posted_number, posted_hash, posted_time, booked_number, stopped_reason
    from lode.chain_state
    ${lock ? sql`for update` : sql``}`.execute(db)
  const [row] = rows
  if (!row) return null
  return {
    chainId: Number(row.chain_id),
    vault: addressFromColumn(row.vault),
    genesisHash: toHex(row.genesis_hash),
    postedNumber: row.posted_number,
    postedTime: row.posted_time,
    posted: row.posted_hash && { number: row.posted_number, hash: toHex(row.posted_hash) },
    booked: row.booked_number,
    stoppedReason: row.stopped_reason,
  }
}

/**
 * Locks the row for the rest of the transaction and gives it if the books still stand where they stood, or null: of two workers
 * that read the same block, the second finds it posted.
 */
export async function stillAt(inside: Database, posted: BlockRef): Promise<ChainState | null> {
  const state = await readState(inside, { lock: true })
  return state?.posted && state.stoppedReason === null && isSame(state.posted, posted) ? state : null
}

/** Begins the books of a chain, before the block in which the pool's first contract appeared. */
export async function beginState(
  db: Database,
  chain: { chainId: number; vault: Address; genesisHash: Hex; before: Block },
): Promise<void> {
  const { chainId, vault, genesisHash, before } = chain
  await sql`
    insert into lode.chain_state (chain_id, vault, genesis_hash, posted_number, posted_hash, posted_time)
    values (${chainId}, ${bytesOf(vault)}, ${bytesOf(genesisHash)}, ${before.number}, ${bytesOf(before.hash)}, ${before.time})
    on conflict do nothing`.execute(db)
}

export async function movePosted(inside: Database, block: Block): Promise<void> {
  await sql`
    update lode.chain_state
    set posted_number = ${block.number}, posted_hash = ${bytesOf(block.hash)}, posted_time = ${block.time},
        booked_number = greatest(booked_number, ${block.number})`.execute(inside)
}

/** At this block, the posted one, the vault holds what the books say. */
export async function markChecked(inside: Database, { number }: BlockRef): Promise<void> {
  await sql`update lode.chain_state set checked_number = ${number}`.execute(inside)
}

/**
 * Sets the posted block back, so that everything after it is read again. What is in the books already stays there once: the key
 * of its log is spent. Answers with the block that it was, or null where it is not after the given one.
 */
export async function rewindChain(owner: Database, number: bigint): Promise<bigint | null> {
  const { rows } = await sql<{ was: bigint }>`
    with before as (select posted_number from lode.chain_state where posted_number > ${number} for update)
    update lode.chain_state set posted_number = ${number}, posted_hash = null from before
    returning before.posted_number as was`.execute(owner)
  return rows[0]?.was ?? null
}

/** Which block of the chain it is that the posted one was set back to. */
export async function learnPosted(db: Database, { number, hash, time }: Block): Promise<void> {
  await sql`
    update lode.chain_state set posted_hash = ${bytesOf(hash)}, posted_time = ${time}
    where posted_number = ${number} and posted_hash is null`.execute(db)
}

/** Remembered until an operator resumes it. The first reason is the one that stays. */
export async function stopChain(db: Database, reason: string): Promise<void> {
  await sql`select lode.stop_chain(${reason})`.execute(db)
}

/** The operator has looked into it. Answers with the reason that there was, or null where nothing had stopped. */
export async function resumeChain(owner: Database): Promise<string | null> {
  const { rows } = await sql<{ reason: string }>`
    with stopped as (select stopped_reason from lode.chain_state where stopped_reason is not null for update)
    update lode.chain_state set stopped_reason = null, stopped_at = null from stopped
    returning stopped.stopped_reason as reason`.execute(owner)
  return rows[0]?.reason ?? null
}

/** The addresses that are or were cold storage, as of a block. */
export async function coldAddresses(db: Database, { number }: BlockRef): Promise<Set<Address>> {
  const { rows } = await sql<{ address: Buffer }>`
    select address from lode.pool_address where role = 'cold' and since_block <= ${number}`.execute(db)
  return new Set(rows.map(({ address }) => addressFromColumn(address)))
}

export const isSame = (one: BlockRef, other: BlockRef): boolean =>
  one.number === other.number && one.hash === other.hash
