import { sql } from 'kysely'
import { type Address, type Hex, toHex } from 'viem'
import { addressFromColumn, bytesOf } from '../../platform/chain/hex-column.ts'
import type { Block } from '../../platform/chain/node.ts'
import { allVaultsOf, type PoolContracts } from '../../platform/config/pool-contracts.ts'
import type { Database } from '../../platform/db/database.ts'

export type BlockRef = { readonly number: bigint; readonly hash: Hex }

/** What the database stores about the chain: its identity, the posted block, and whether the watcher has stopped. */
export type ChainState = {
  readonly chainId: number
  readonly vault: Address
  /** The vaults before the present one, oldest first. */
  readonly formerVaults: readonly Address[]
  readonly genesisHash: Hex
  readonly postedNumber: bigint
  readonly postedTime: Date
  /** Null after a rewind: the hash of the posted block must still be read from the chain. */
  readonly posted: BlockRef | null
  /**
   * The last block of which the ledger has anything. After a rewind, or after a crash while a run was posted in parts,
   * it is above the posted block, and all blocks up to this one are read again.
   */
  readonly highestPosted: bigint
  readonly stoppedReason: string | null
}

type ChainStateRow = {
  chain_id: bigint
  vault: Buffer
  former_vaults: Buffer[]
  genesis_hash: Buffer
  posted_number: bigint
  posted_hash: Buffer | null
  posted_time: Date
  booked_number: bigint
  stopped_reason: string | null
}

export async function readChainState(db: Database, { lock = false } = {}): Promise<ChainState | null> {
  const { rows } = await sql<ChainStateRow>`
    select chain_id, vault, former_vaults, genesis_hash, posted_number, posted_hash, posted_time, booked_number,
           stopped_reason
    from lode.chain_state
    ${lock ? sql`for update` : sql``}`.execute(db)
  const [row] = rows
  if (!row) return null
  return {
    chainId: Number(row.chain_id),
    vault: addressFromColumn(row.vault),
    formerVaults: row.former_vaults.map(addressFromColumn),
    genesisHash: toHex(row.genesis_hash),
    postedNumber: row.posted_number,
    postedTime: row.posted_time,
    posted: row.posted_hash && { number: row.posted_number, hash: toHex(row.posted_hash) },
    highestPosted: row.booked_number,
    stoppedReason: row.stopped_reason,
  }
}

/**
 * Returns an error text if the ledger belongs to another chain, or to other vaults, than the configured ones; null if
 * they match. This reason is not stored as a stop: once the configuration is right, the same ledger can be used.
 */
export function describeWrongLedger(
  chain: { readonly id: number; readonly contracts: PoolContracts },
  state: ChainState,
): string | null {
  const [stored, configured] = [allVaultsOf(state).join(), allVaultsOf(chain.contracts).join()]
  if (state.chainId === chain.id && stored === configured) return null
  const before = state.formerVaults.length === 0 ? '' : `, after ${state.formerVaults.join(' and ')},`
  return `the ledger belongs to vault ${state.vault}${before} on chain ${state.chainId}`
}

/**
 * Locks the state row for the rest of the transaction and returns it, if `posted` is still the posted block and nothing
 * is stopped. Otherwise returns null, for example because another worker has posted the same block.
 */
export async function lockStateAt(trx: Database, posted: BlockRef): Promise<ChainState | null> {
  const state = await readChainState(trx, { lock: true })
  return state?.posted && state.stoppedReason === null && isSameBlock(state.posted, posted) ? state : null
}

/** Begins the ledger of a chain at the block before the pool's first block. */
export async function insertChainState(
  db: Database,
  chain: { chainId: number; pool: PoolContracts; genesisHash: Hex; before: Block },
): Promise<void> {
  const { chainId, pool, genesisHash, before } = chain
  await sql`
    insert into lode.chain_state
      (chain_id, vault, former_vaults, genesis_hash, posted_number, posted_hash, posted_time)
    values (${chainId}, ${bytesOf(pool.vault)}, ${pool.formerVaults.map(bytesOf)}::bytea[], ${bytesOf(genesisHash)},
            ${before.number}, ${bytesOf(before.hash)}, ${before.time})
    on conflict do nothing`.execute(db)
}

export async function setPostedBlock(trx: Database, block: Block): Promise<void> {
  await sql`
    update lode.chain_state
    set posted_number = ${block.number}, posted_hash = ${bytesOf(block.hash)}, posted_time = ${block.time},
        booked_number = greatest(booked_number, ${block.number})`.execute(trx)
}

/** Stores that the ledger has logs up to this block, while the blocks are not posted completely. */
export async function setHighestPosted(trx: Database, number: bigint): Promise<void> {
  await sql`update lode.chain_state set booked_number = greatest(booked_number, ${number})`.execute(trx)
}

/** Stores that the vault's balances agree with the ledger at this block, which is the posted block. */
export async function markBlockChecked(trx: Database, { number }: BlockRef): Promise<void> {
  await sql`update lode.chain_state set checked_number = ${number}`.execute(trx)
}

/** Stores the hash and time of the block to which the posted block was set back. */
export async function storePostedHash(db: Database, { number, hash, time }: Block): Promise<void> {
  await sql`
    update lode.chain_state set posted_hash = ${bytesOf(hash)}, posted_time = ${time}
    where posted_number = ${number} and posted_hash is null`.execute(db)
}

/**
 * Stores the reason of a stop, until two operators end it. If a reason is stored already, it stays. Before the ledger has
 * begun there is no row to store it in; then every turn makes its checks again.
 */
export async function stopChain(db: Database, reason: string): Promise<void> {
  await sql`select lode.stop_chain(${reason})`.execute(db)
}

/**
 * Ends the stops of the watcher and of all assets, after the owner has repaired a restored database. What is still wrong
 * stops again. Returns the reasons.
 */
export async function endAllStops(owner: Database): Promise<string[]> {
  const { rows: ofAssets } = await sql<{ reasons: string[] }>`select lode.end_asset_stops() as reasons`.execute(owner)
  const { rows: ofWatcher } = await sql<{ reason: string }>`
    with stopped as (select stopped_reason from lode.chain_state where stopped_reason is not null for update)
    update lode.chain_state set stopped_reason = null, stopped_at = null from stopped
    returning stopped.stopped_reason as reason`.execute(owner)
  return [...ofWatcher.map(({ reason }) => reason), ...ofAssets.flatMap(({ reasons }) => reasons)]
}

/** All addresses that were cold storage at this block or before. */
export async function loadColdAddresses(db: Database, { number }: BlockRef): Promise<Set<Address>> {
  const { rows } = await sql<{ address: Buffer }>`
    select address from lode.pool_address where role = 'cold' and since_block <= ${number}`.execute(db)
  return new Set(rows.map(({ address }) => addressFromColumn(address)))
}

export const isSameBlock = (one: BlockRef, other: BlockRef): boolean =>
  one.number === other.number && one.hash === other.hash
