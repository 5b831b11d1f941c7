import { ok } from '@lode/kernel'
import type { ChainConfig } from '../../platform/config/config.ts'
import { decimalsOf } from '../../platform/config/pool-contracts.ts'
import type { Database } from '../../platform/db/database.ts'
import type { Mount } from '../../platform/http/mount.ts'
import type { Plans } from '../plan/index.ts'
import { readAssets, readLog, readStatement } from './queries.ts'

type WalletRoutesOptions = { chain: ChainConfig; db: Database; plans: Plans }

export function mountWallet(mount: Mount, { chain, db, plans }: WalletRoutesOptions): void {
  const decimals = decimalsOf(chain.contracts)
  const { priceMaxAgeSeconds } = chain

  mount('wallet/assets', async ({ session }) =>
    ok(await readAssets(db, session, { decimals, priceMaxAgeSeconds, plan: await plans.inForce(db) })),
  )

  mount('wallet/log', async ({ input, page, session }) => {
    const { symbol, type, status, tx } = input
    const filters = { ...(type && { type }), ...(status && { status }), ...(tx && { tx }) }
    return ok(await readLog(db, session, { symbol, ...page, ...filters }, decimals))
  })

  mount('wallet/statement', async ({ session }) =>
    ok(await readStatement(db, session, { decimals, priceMaxAgeSeconds })),
  )
}
