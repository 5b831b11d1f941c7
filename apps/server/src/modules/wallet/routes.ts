import { ok, refused } from '@lode/kernel'
import type { ChainConfig } from '../../platform/config/config.ts'
import type { Database } from '../../platform/db/database.ts'
import type { Mount } from '../../platform/http/mount.ts'
import type { Plans } from '../plan/index.ts'
import { readAssets, readLog } from './queries.ts'

const PAGE = 20

type WalletRoutes = { chain: ChainConfig; db: Database; plans: Plans }

export function mountWallet(mount: Mount, { chain, db, plans }: WalletRoutes): void {
  const { USDT, BTN, BTC } = chain.contracts.tokens
  const decimals = { USDT: USDT.decimals, BTN: BTN.decimals, BTC: BTC.decimals }
  const { priceMaxAgeSeconds } = chain

  mount('wallet/assets', async ({ session }) =>
    ok(await readAssets(db, session, { decimals, priceMaxAgeSeconds, plan: plans.inForce })),
  )

  mount('wallet/log', async ({ input, session }) => {
    const { symbol, type, status, tx, cursor, limit } = input
    if (cursor !== undefined && !LINE_NUMBER.test(cursor)) return refused('format')
    const page = {
      symbol,
      ...(type && { type }),
      ...(status && { status }),
      ...(tx && { tx }),
      ...(cursor && { before: BigInt(cursor) }),
      limit: limit === undefined ? PAGE : Number(limit),
    }
    return ok(await readLog(db, session, page, decimals))
  })
}

/** As many digits as an int8 holds for certain. */
const LINE_NUMBER = /^[1-9][0-9]{0,17}$/
