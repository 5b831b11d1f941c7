import { sql } from 'kysely'
import { type Address, toHex } from 'viem'
import { addressFromColumn } from '../../../platform/chain/hex-column.ts'
import { idFromChain } from '../../../platform/chain/id-on-chain.ts'
import type { Database } from '../../../platform/db/database.ts'
import { type InterpretedLogs, isBurned } from '../../custody/index.ts'

/**
 * The rows that the worker writes beside the ledger: dividend funding with its Bitcoin output, burns, the addresses
 * that the vault gave a role, and payouts that the vault skipped. Each is described by one line of text. The lines made
 * from the chain must equal those made from the database.
 */
export type ChainRecords = {
  readonly onChain: Set<string>
  /** The vault also skips payout ids that the pool does not have. These are not stored. */
  readonly skippedOnChain: Set<string>
}

export const emptyRecords = (): ChainRecords => ({ onChain: new Set(), skippedOnChain: new Set() })

/** Adds the records that these logs stand for, of blocks up to `posted`. */
export function addRecords({ onChain, skippedOnChain }: ChainRecords, logs: InterpretedLogs, posted: bigint): void {
  for (const { address, role, sinceBlock } of logs.poolAddresses)
    if (sinceBlock <= posted) onChain.add(describePoolAddress(role, address))
  for (const { log, payoutId, reason } of logs.notPaid)
    if (log.blockNumber <= posted && reason !== 'repeated')
      skippedOnChain.add(describeSkip(log.tx, log.logIndex, idFromChain(payoutId) ?? payoutId, reason))
  for (const movement of logs.movements) {
    const { log, amount } = movement
    if (log.blockNumber > posted) continue
    if (isBurned(movement)) onChain.add(describeBurn(log.tx, log.logIndex, amount))
    if (movement.kind === 'dividendFunding') onChain.add(describeFunding({ ...movement, ...log }))
  }
}

/** Returns the records that only the database has, and those that only the chain has. */
export async function compareRecords(
  db: Database,
  { onChain, skippedOnChain }: ChainRecords,
): Promise<{ readonly onlyInDatabase: string[]; readonly onlyOnChain: string[] }> {
  const inDatabase = new Set([
    ...(await readPoolAddresses(db)),
    ...(await readBurns(db)),
    ...(await readFundings(db)),
    ...(await readSkips(db)),
  ])
  return {
    onlyInDatabase: Array.from(inDatabase).filter((record) => !onChain.has(record) && !skippedOnChain.has(record)),
    onlyOnChain: Array.from(onChain).filter((record) => !inDatabase.has(record)),
  }
}

async function readPoolAddresses(db: Database): Promise<string[]> {
  const { rows } = await sql<{ role: string; address: Buffer }>`select role, address from lode.pool_address`.execute(db)
  return rows.map(({ role, address }) => describePoolAddress(role, addressFromColumn(address)))
}

/** The posting of this log was undone: two operators decided it, because the chain does not have the log. */
const isUndone = sql`exists (
  select from lode.correction join lode.ledger_transaction undone on undone.id = correction.answers
  where undone.key = lode.key_of_log(record.tx, record.log_index))`

async function readBurns(db: Database): Promise<string[]> {
  const { rows } = await sql<{ tx: Buffer; log_index: number; amount: string }>`
    select tx, log_index, amount from lode.chain_burn record where not ${isUndone}`.execute(db)
  return rows.map(({ tx, log_index, amount }) => describeBurn(toHex(tx), log_index, BigInt(amount)))
}

async function readFundings(db: Database): Promise<string[]> {
  const { rows } = await sql<{
    tx: Buffer
    log_index: number
    block_number: bigint
    day: number
    funder: Buffer
    amount: string
    bitcoin_txid: Buffer
    bitcoin_output: bigint
  }>`
    select tx, log_index, block_number, day, funder, amount, bitcoin_txid, bitcoin_output
    from lode.dividend_funding record where not ${isUndone}`.execute(db)
  return rows.map((row) =>
    describeFunding({
      tx: toHex(row.tx),
      logIndex: row.log_index,
      blockNumber: row.block_number,
      day: row.day,
      from: addressFromColumn(row.funder),
      amount: BigInt(row.amount),
      evidence: { txid: toHex(row.bitcoin_txid), output: Number(row.bitcoin_output) },
    }),
  )
}

async function readSkips(db: Database): Promise<string[]> {
  const { rows } = await sql<{ tx: Buffer; log_index: number; payout_id: string; reason: string }>`
    select tx, log_index, payout_id, reason from lode.payout_skip`.execute(db)
  return rows.map(({ tx, log_index, payout_id, reason }) => describeSkip(toHex(tx), log_index, payout_id, reason))
}

type Funding = {
  readonly tx: string
  readonly logIndex: number
  readonly blockNumber: bigint
  readonly day: number
  readonly from: Address
  readonly amount: bigint
  readonly evidence: { readonly txid: string; readonly output: number }
}

const describeFunding = ({ tx, logIndex, blockNumber, day, from, amount, evidence }: Funding): string =>
  `dividend funding ${tx}:${logIndex} in block ${blockNumber}, ${amount} smallest units of BTC by ${from} for day ${day}, from the Bitcoin output ${evidence.txid}:${evidence.output}`

const describeBurn = (tx: string, logIndex: number, amount: bigint): string =>
  `burn ${tx}:${logIndex} of ${amount} smallest units of BTN`

const describePoolAddress = (role: string, address: Address): string => `${role} address ${address}`

const describeSkip = (tx: string, logIndex: number, payout: string, reason: string): string =>
  `skip ${tx}:${logIndex} of payout ${payout}, reason ${reason}`
