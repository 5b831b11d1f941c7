import { type Asset, assets } from '@lode/kernel'
import { sql } from 'kysely'
import type { Address } from 'viem'
import { type ChainLog, type ChainNode, isNodeFailure } from '../../platform/chain/node.ts'
import type { Finality, WatcherConfig } from '../../platform/config/config.ts'
import type { PoolContracts } from '../../platform/config/pool-contracts.ts'
import type { Database } from '../../platform/db/database.ts'
import { isCredit } from './entries.ts'
import { readPoolLogs } from './pool-logs.ts'
import type { Movement, NotPaid, Reading } from './rules.ts'

type Bounds = WatcherConfig['agreement']
type Sums = { readonly [A in Asset]: bigint }

/** What was credited on this node's word alone in the last 24 hours, plus up to one hour: sums are by full hour. */
export async function singleSourceSums(db: Database, node: string): Promise<Sums> {
  const { rows } = await sql<{ asset: Asset; amount: string }>`
    select asset, sum(amount) as amount from lode.chain_single_source
    where node = ${node} and hour > lode.now() - interval '25 hours' group by asset`.execute(db)
  const of = (asset: Asset) => BigInt(rows.find((row) => row.asset === asset)?.amount ?? 0)
  return { USDT: of('USDT'), BTN: of('BTN'), BTC: of('BTC') }
}

export async function addSingleSource(inside: Database, node: string, movements: readonly Movement[]): Promise<void> {
  for (const asset of assets) {
    const amount = movements.reduce((sum, movement) => (movement.asset === asset ? sum + movement.amount : sum), 0n)
    if (amount === 0n) continue
    await sql`
      insert into lode.chain_single_source as kept (node, asset, hour, amount)
      values (${node}, ${asset}, date_trunc('hour', lode.now()), ${String(amount)}::numeric)
      on conflict (node, asset, hour) do update set amount = kept.amount + excluded.amount`.execute(inside)
  }
  await sql`delete from lode.chain_single_source where hour <= lode.now() - interval '25 hours'`.execute(inside)
}

/** Divides credits into those that one node may confirm alone, and those that are large or exceed the day's sum. */
export function divideCredits(
  movements: readonly Movement[],
  bounds: Bounds,
  already: Sums,
): { alone: Movement[]; needSecond: Movement[] } {
  const sums = { ...already }
  const alone: Movement[] = []
  const needSecond: Movement[] = []
  for (const movement of movements.filter(isCredit)) {
    const { asset, amount } = movement
    const above = bounds.above[asset]
    const daySum = bounds.daySum[asset]
    const isLarge = above !== undefined && amount > above
    const isBeyond = daySum !== undefined && sums[asset] + amount > daySum
    if (isLarge || isBeyond) {
      needSecond.push(movement)
      continue
    }
    sums[asset] += amount
    alone.push(movement)
  }
  return { alone, needSecond }
}

type Told = Movement | NotPaid

/**
 * Everything that concerns payouts. If there is a second node, it must confirm these logs. A false report of a skipped
 * payout would let the member have the money back while a block could still include the payment.
 */
export const ofPayouts = ({ movements, notPaid }: Pick<Reading, 'movements' | 'notPaid'>): Told[] => [
  ...movements.filter(({ kind }) => kind === 'payout'),
  ...notPaid,
]

type Chain = { readonly pool: PoolContracts; readonly cold: ReadonlySet<Address>; readonly finality: Finality }

/**
 * The first log, in chain order, that no other node confirms; null if all are confirmed. A node confirms a log if it
 * returns the identical log, in a block with the same hash that is final for this node too.
 */
export async function firstUnconfirmed(
  needSecond: readonly Told[],
  others: readonly ChainNode[],
  chain: Chain,
): Promise<Told | null> {
  const told = needSecond.toSorted(
    (one, other) => Number(one.log.blockNumber - other.log.blockNumber) || one.log.logIndex - other.log.logIndex,
  )
  const first = told[0]?.log.blockNumber
  const last = told.at(-1)?.log.blockNumber
  if (first === undefined || last === undefined) return null
  const given = await Promise.all(others.map((node) => finalLogs(node, chain, first, last)))
  const confirmed = new Set(given.flat().map(wordsOf))
  return told.find(({ log }) => !confirmed.has(wordsOf(log))) ?? null
}

async function finalLogs(node: ChainNode, chain: Chain, first: bigint, last: bigint): Promise<ChainLog[]> {
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

const wordsOf = (log: ChainLog): string =>
  JSON.stringify([log.address, log.topics, log.data, log.blockHash, log.tx, log.logIndex])
