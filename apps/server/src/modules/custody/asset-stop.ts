import type { Asset } from '@lode/kernel'
import { sql } from 'kysely'
import { bytesOf } from '../../platform/chain/hex-column.ts'
import type { ChainLog } from '../../platform/chain/node.ts'
import type { Database } from '../../platform/db/database.ts'
import type { BlockRef } from './chain-state.ts'
import type { Loss } from './interpret-logs.ts'

/** The chain contradicts the ledger in one asset. */
export type AssetContradiction = {
  readonly asset: Asset
  readonly reason: string
  /** The money that left custody, which operators can write off; null if it is something else. */
  readonly loss: Loss | null
  /** The log that the ledger cannot post, or the block at which a balance had fallen without a log. */
  readonly at: Pick<ChainLog, 'tx' | 'logIndex' | 'blockNumber'> | { readonly block: bigint } | null
}

/**
 * Thrown while blocks are posted, so that the posting transaction rolls back. The asset stops only if the contradiction
 * lasts, because a node may be wrong for a while.
 */
export class AssetMustStop extends Error {
  readonly contradiction: AssetContradiction

  constructor(contradiction: AssetContradiction) {
    super(contradiction.reason)
    this.contradiction = contradiction
  }
}

/** The assets that are stopped now, each with the reason. */
export async function readAssetStops(db: Database): Promise<Map<Asset, string>> {
  const { rows } = await sql<{ asset: Asset; reason: string }>`
    select asset, reason from lode.asset_stop order by asset`.execute(db)
  return new Map(rows.map(({ asset, reason }) => [asset, reason]))
}

/** Stops the asset at the posted block. Its logs in later blocks are held until the stop ends. */
export async function stopAsset(
  db: Database,
  { asset, reason, loss, at }: AssetContradiction,
  posted: BlockRef,
): Promise<void> {
  const log = at && 'tx' in at ? at : null
  const block = at && 'block' in at ? at.block : null
  await sql`
    select lode.stop_asset(${asset}, ${reason}, ${posted.number}, ${loss && String(loss.amount)}::numeric, ${loss?.place ?? null},
                           ${loss && String(loss.arrived)}::numeric, ${log && bytesOf(log.tx)}::bytea, ${log?.logIndex ?? null}::int,
                           ${block}::bigint)`.execute(db)
}
