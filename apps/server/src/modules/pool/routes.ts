import { ok } from '@lode/kernel'
import type { DataOf } from '@lode/wire'
import { readClock } from '../../platform/clock/clock.ts'
import type { ChainConfig } from '../../platform/config/config.ts'
import type { Database } from '../../platform/db/database.ts'
import type { Mount } from '../../platform/http/mount.ts'

type PoolRoutes = { db: Database; chain: ChainConfig; countOverdue: () => Promise<number> }

/** Anybody may ask, so that it is counted once for all who do. */
const COUNTED_EVERY_MS = 30_000

export function mountPool(mount: Mount, { db, chain, countOverdue }: PoolRoutes): void {
  const { id, name, publicRpcUrl, explorerUrl, currency, finalityMinutes } = chain
  const { vault, tokens } = chain.contracts
  mount('pool/chain', async () =>
    ok({ chainId: id, name, rpcUrl: publicRpcUrl, currency, explorerUrl, vault, tokens, finalityMinutes }),
  )

  const count = async (): Promise<DataOf<'pool/figures'>> => ({
    at: (await readClock(db)).toISOString(),
    transfersOverdue: await countOverdue(),
  })
  let counted: { figures: Promise<DataOf<'pool/figures'>>; since: number } | null = null
  mount('pool/figures', async () => {
    if (counted === null || performance.now() - counted.since > COUNTED_EVERY_MS)
      counted = { figures: count(), since: performance.now() }
    const { figures } = counted
    // What could not be counted is counted again by whoever asks next.
    figures.catch(() => {
      if (counted?.figures === figures) counted = null
    })
    return ok(await figures)
  })
}
