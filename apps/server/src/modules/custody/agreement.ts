import { type Asset, assets } from '@lode/kernel'
import { sql } from 'kysely'
import type { Address } from 'viem'
import { type ChainLog, type ChainNode, isNodeFailure } from '../../platform/chain/node.ts'
import type { Finality, WatcherConfig } from '../../platform/config/config.ts'
import type { PoolContracts } from '../../platform/config/pool-contracts.ts'
import type { Database } from '../../platform/db/database.ts'
import type { InterpretedLogs, Movement, UnpaidPayout } from './interpret-logs.ts'
import { isCredit } from './movement-transaction.ts'
import { readPoolLogs } from './pool-logs.ts'

type AgreementLimits = WatcherConfig['agreement']
type AssetSums = { readonly [A in Asset]: bigint }

/** The amounts that were credited on this node's word alone, in the last 24 to 25 hours: sums are by full hour. */
export async function readSingleSourceSums(db: Database, node: string): Promise<AssetSums> {
  const { rows } = await sql<{ asset: Asset; amount: string }>`
    select asset, sum(amount) as amount from lode.chain_single_source
    where node = ${node} and hour > lode.now() - interval '25 hours' group by asset`.execute(db)
  const sumOf = (asset: Asset) => BigInt(rows.find((row) => row.asset === asset)?.amount ?? 0)
  return { USDT: sumOf('USDT'), BTN: sumOf('BTN'), BTC: sumOf('BTC') }
}

export async function addSingleSourceSums(trx: Database, node: string, movements: readonly Movement[]): Promise<void> {
  for (const asset of assets) {
    const amount = movements.reduce((sum, movement) => (movement.asset === asset ? sum + movement.amount : sum), 0n)
    if (amount === 0n) continue
    await sql`
      insert into lode.chain_single_source as kept (node, asset, hour, amount)
      values (${node}, ${asset}, date_trunc('hour', lode.now()), ${String(amount)}::numeric)
      on conflict (node, asset, hour) do update set amount = kept.amount + excluded.amount`.execute(trx)
  }
  await sql`delete from lode.chain_single_source where hour <= lode.now() - interval '25 hours'`.execute(trx)
}

/**
 * Divides credits into those that one node may report alone, and those that need a second node: a credit is above
 * `above`, or it would raise the sum that this node alone has reported in the last 24 hours above `daySum`.
 */
export function divideCredits(
  movements: readonly Movement[],
  limits: AgreementLimits,
  creditedBefore: AssetSums,
): { singleSource: Movement[]; needSecond: Movement[] } {
  const sums = { ...creditedBefore }
  const singleSource: Movement[] = []
  const needSecond: Movement[] = []
  for (const movement of movements.filter(isCredit)) {
    const { asset, amount } = movement
    const above = limits.above[asset]
    const daySum = limits.daySum[asset]
    const isLarge = above !== undefined && amount > above
    const exceedsDaySum = daySum !== undefined && sums[asset] + amount > daySum
    if (isLarge || exceedsDaySum) {
      needSecond.push(movement)
      continue
    }
    sums[asset] += amount
    singleSource.push(movement)
  }
  return { singleSource, needSecond }
}

type ConfirmableLog = Movement | UnpaidPayout

/**
 * All logs about payouts. If a second node is configured, it must confirm them. A false log of a skipped payout would
 * let the payout step back, and a block could still pay it.
 */
export const selectPayoutLogs = ({
  movements,
  notPaid,
}: Pick<InterpretedLogs, 'movements' | 'notPaid'>): ConfirmableLog[] => [
  ...movements.filter(({ kind }) => kind === 'payout'),
  ...notPaid,
]

type PoolLogScope = { readonly pool: PoolContracts; readonly cold: ReadonlySet<Address>; readonly finality: Finality }

/**
 * Returns the first log, in chain order, that no other node confirms; null if all are confirmed. A node confirms a log
 * if it returns the same log in a block with the same hash, and that block is final on this node too.
 */
export async function findFirstUnconfirmed(
  needSecond: readonly ConfirmableLog[],
  others: readonly ChainNode[],
  chain: PoolLogScope,
): Promise<ConfirmableLog | null> {
  const sorted = needSecond.toSorted(
    (one, other) => Number(one.log.blockNumber - other.log.blockNumber) || one.log.logIndex - other.log.logIndex,
  )
  const first = sorted[0]?.log.blockNumber
  const last = sorted.at(-1)?.log.blockNumber
  if (first === undefined || last === undefined) return null
  const logsByNode = await Promise.all(others.map((node) => readFinalLogs(node, chain, first, last)))
  const confirmed = new Set(logsByNode.flat().map(serializeLog))
  return sorted.find(({ log }) => !confirmed.has(serializeLog(log))) ?? null
}

async function readFinalLogs(node: ChainNode, chain: PoolLogScope, first: bigint, last: bigint): Promise<ChainLog[]> {
  try {
    const { finalized } = await node.head(chain.finality)
    const end = finalized.number < last ? finalized.number : last
    const logs: ChainLog[] = []
    for (let from = first; from <= end; ) {
      const range = await node.readRange(from, end, (a, b) => readPoolLogs(node, chain.pool, chain.cold, a, b))
      logs.push(...range.value)
      from = range.to + 1n
    }
    return logs
  } catch (error) {
    if (isNodeFailure(error)) return []
    throw error
  }
}

const serializeLog = (log: ChainLog): string =>
  JSON.stringify([log.address, log.topics, log.data, log.blockHash, log.tx, log.logIndex])
