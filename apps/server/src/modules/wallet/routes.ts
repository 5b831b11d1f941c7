import { ok, parseAmount, refused } from '@lode/kernel'
import type { Hex } from 'viem'
import type { ChainConfig } from '../../platform/config/config.ts'
import { decimalsOf } from '../../platform/config/pool-contracts.ts'
import type { Database } from '../../platform/db/database.ts'
import type { Mount } from '../../platform/http/mount.ts'
import type { Plans } from '../plan/index.ts'
import { readAssets, readLog, readStatement } from './queries.ts'
import { listUnseenReports, reportDeposit } from './reported-deposits.ts'

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

  mount(
    'wallet/report-sent',
    async ({ session, input: { symbol, amount, tx } }) => {
      const reported = parseAmount(symbol, decimals[symbol], amount)
      if (!reported.ok || reported.value === 0n) return refused('format')
      await reportDeposit(db, session, { asset: symbol, amount: reported.value, tx: tx as Hex })
      return ok({ tx })
    },
    { limit: { kind: 'depositReports' } },
  )

  mount('wallet/sent', async ({ session, input }) => ok(await listUnseenReports(db, session, input.symbol, decimals)))

  mount('wallet/statement', async ({ session }) =>
    ok(await readStatement(db, session, { decimals, priceMaxAgeSeconds })),
  )
}
