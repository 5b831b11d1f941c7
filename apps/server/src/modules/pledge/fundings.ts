import { type DayNumber, dayNumber } from '@lode/kernel'
import { sql } from 'kysely'
import { type Hex, toHex } from 'viem'
import { bytesOf } from '../../platform/chain/hex-column.ts'
import type { Database } from '../../platform/db/database.ts'

type BitcoinOutput = { readonly txid: Hex; readonly index: number }

export type Funding = {
  readonly tx: Hex
  readonly blockNumber: bigint
  readonly day: DayNumber
  /** In smallest units of BTC. */
  readonly amount: bigint
  readonly evidence: BitcoinOutput
}

/**
 * The fundings in posted blocks that are for one of these days, or name this Bitcoin output in either byte order. For the
 * command line.
 */
export async function readFundings(
  db: Database,
  days: readonly DayNumber[],
  { txid, index }: BitcoinOutput,
): Promise<Funding[]> {
  const id = bytesOf(txid)
  const { rows } = await sql<{
    tx: Buffer
    block_number: bigint
    day: number
    amount: string
    bitcoin_txid: Buffer
    bitcoin_output: string
  }>`
    select tx, block_number, day, amount, bitcoin_txid, bitcoin_output::text as bitcoin_output from lode.dividend_funding
    where day = any (${days}::int[])
      or (bitcoin_txid in (${id}, ${Buffer.from(id).reverse()}) and bitcoin_output = ${index})
    order by block_number, log_index`.execute(db)
  return rows.map((row) => ({
    tx: toHex(row.tx),
    blockNumber: row.block_number,
    day: dayNumber(row.day),
    amount: BigInt(row.amount),
    evidence: { txid: toHex(row.bitcoin_txid), index: Number(row.bitcoin_output) },
  }))
}

/** The days after this one that have funding already, with the sum in smallest units of BTC. */
export async function readFundedAhead(
  db: Database,
  after: DayNumber,
): Promise<{ readonly day: DayNumber; readonly amount: bigint }[]> {
  const { rows } = await sql<{ day: number; amount: string }>`
    select day, sum(amount) as amount from lode.unused_funding where day > ${after} group by day order by day`.execute(
    db,
  )
  return rows.map(({ day, amount }) => ({ day: dayNumber(day), amount: BigInt(amount) }))
}
