import { sql } from 'kysely'
import { type Address, formatUnits, parseAbi } from 'viem'
import { bytesOf } from '../../platform/chain/hex-column.ts'
import type { ChainNode } from '../../platform/chain/node.ts'
import type { Database } from '../../platform/db/database.ts'

const AGGREGATOR_ABI = parseAbi([
  'function decimals() view returns (uint8)',
  'function latestRoundData() view returns (uint80 roundId, int256 answer, uint256 startedAt, uint256 updatedAt, uint80 answeredInRound)',
])

export type PriceRound = {
  readonly roundId: bigint
  readonly answer: bigint
  readonly updatedAt: bigint
  readonly answeredInRound: bigint
}

/** Whether a round is complete, positive and not from the future. Whether it is too old is decided by loadPrices(). */
export const isUsablePrice = (round: PriceRound, now: Date): boolean =>
  round.answer > 0n &&
  round.updatedAt > 0n &&
  round.answeredInRound >= round.roundId &&
  round.updatedAt * 1_000n <= BigInt(now.getTime())

/** Reads the latest round of each feed and stores it with the feed's own time, if it is usable. */
export async function storeFeedPrices(
  db: Database,
  node: ChainNode,
  feeds: { readonly BTC: Address; readonly BTN: Address },
  latest: { readonly time: Date },
): Promise<void> {
  for (const asset of ['BTC', 'BTN'] as const) {
    const feed = { address: feeds[asset], abi: AGGREGATOR_ABI } as const
    const [decimals, [roundId, answer, , updatedAt, answeredInRound]] = await Promise.all([
      node.read({ ...feed, functionName: 'decimals' }),
      node.read({ ...feed, functionName: 'latestRoundData' }),
    ])
    if (!isUsablePrice({ roundId, answer, updatedAt, answeredInRound }, latest.time)) continue
    await sql`
      insert into lode.price as kept (asset, price, at, source)
      values (${asset}, ${formatUnits(answer, decimals)}::numeric, ${new Date(Number(updatedAt) * 1_000)},
              ${bytesOf(feed.address)})
      on conflict (asset) do update set price = excluded.price, at = excluded.at, source = excluded.source
      where excluded.at >= kept.at or excluded.source <> kept.source`.execute(db)
  }
}
