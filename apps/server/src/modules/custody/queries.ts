import { type Asset, type Units, units } from '@lode/kernel'
import { sql } from 'kysely'
import { type Address, type Hex, toHex } from 'viem'
import { addressFromColumn, bytesOf } from '../../platform/chain/hex-column.ts'
import type { Database } from '../../platform/db/database.ts'

/** A deposit that was seen on the chain and is not final yet. */
export type Incoming<A extends Asset = Asset> = {
  readonly tx: Hex
  readonly logIndex: number
  readonly amount: Units<A>
  readonly blockNumber: bigint
  readonly blockTime: Date
  readonly seenAt: Date
}

const MAX_INCOMING = 100

/** Leaves out payments that were seen for an order. The app shows them with the order, and they are no deposits. */
const isNotOrderPayment = sql`not exists (
  select from lode.order_seen
  where order_seen.order_id = chain_incoming.order_id and order_seen.block_number = chain_incoming.block_number
    and order_seen.log_index = chain_incoming.log_index)`

/**
 * The incoming deposits of an address, newest first and at most one hundred; with `tx`, only those of this chain
 * transaction. A deposit is listed until its block is posted or a reorganization replaces it.
 */
export async function loadIncoming<A extends Asset>(
  db: Database,
  account: Address,
  asset: A,
  tx?: Hex,
): Promise<Incoming<A>[]> {
  const { rows } = await sql<{
    tx: Buffer
    log_index: number
    amount: string
    block_number: bigint
    block_time: Date
    seen_at: Date
  }>`
    select tx, log_index, amount, block_number, block.time as block_time, seen_at
    from lode.chain_incoming
    join lode.chain_block block on block.number = block_number
    where account = ${bytesOf(account)} and asset = ${asset} and ${isNotOrderPayment}
          ${tx === undefined ? sql`` : sql`and tx = ${bytesOf(tx)}`}
    order by block_number desc, log_index desc limit ${MAX_INCOMING}`.execute(db)
  return rows.map((row) => ({
    tx: toHex(row.tx),
    logIndex: row.log_index,
    amount: units(asset, BigInt(row.amount)),
    blockNumber: row.block_number,
    blockTime: row.block_time,
    seenAt: row.seen_at,
  }))
}

/** The sum of all incoming deposits of an address, also of those beyond the one hundred of loadIncoming(). */
export async function sumIncoming<A extends Asset>(db: Database, account: Address, asset: A): Promise<Units<A>> {
  const { rows } = await sql<{ sum: string }>`
    select coalesce(sum(amount), 0) as sum from lode.chain_incoming
    where account = ${bytesOf(account)} and asset = ${asset} and ${isNotOrderPayment}`.execute(db)
  return units(asset, BigInt(rows[0]?.sum ?? 0))
}

type Price = {
  /** The USDT price of one coin, as a canonical decimal. */
  readonly price: string
  readonly at: Date
  /** The price feed contract. */
  readonly source: Address
}

export type Prices = { readonly BTC: Price | null; readonly BTN: Price | null }

/** Null if a price was never read or is older than `maxAgeSeconds`. */
export async function loadPrices(db: Database, maxAgeSeconds: number): Promise<Prices> {
  const { rows } = await sql<{ asset: 'BTC' | 'BTN'; price: string; at: Date; source: Buffer }>`
    select asset, trim_scale(price) as price, at, source from lode.price
    where at > lode.now() - make_interval(secs => ${maxAgeSeconds})`.execute(db)
  const priceOf = (asset: 'BTC' | 'BTN'): Price | null => {
    const row = rows.find((candidate) => candidate.asset === asset)
    return row ? { price: row.price, at: row.at, source: addressFromColumn(row.source) } : null
  }
  return { BTC: priceOf('BTC'), BTN: priceOf('BTN') }
}

type PostedBlock = {
  readonly number: bigint
  readonly time: Date
  /** Whether the vault's balances at exactly this block agreed with the ledger. */
  readonly isChecked: boolean
}

/** The last final block whose logs are all in the ledger; null until the watcher has stored its first state. */
export async function readPostedBlock(db: Database): Promise<PostedBlock | null> {
  // After a rewind the ledger is ahead of the posted block. No block counts as checked until the two are equal again.
  const { rows } = await sql<{ number: bigint; time: Date; is_checked: boolean }>`
    select posted_number as number, posted_time as time,
           coalesce(checked_number = posted_number and posted_number >= booked_number, false) as is_checked
    from lode.chain_state`.execute(db)
  const [row] = rows
  return row ? { number: row.number, time: row.time, isChecked: row.is_checked } : null
}

/** The sum of all final burns, in smallest units of BTN. */
export async function sumBurned(db: Database): Promise<bigint> {
  const { rows } = await sql<{ sum: string }>`
    select coalesce(sum(amount), 0) as sum from lode.chain_burn`.execute(db)
  return BigInt(rows[0]?.sum ?? 0)
}
