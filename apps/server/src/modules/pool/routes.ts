import { ok } from '@lode/kernel'
import type { DataOf } from '@lode/wire'
import type { ApiConfig, ChainConfig } from '../../platform/config/config.ts'
import type { Decimals } from '../../platform/config/pool-contracts.ts'
import type { Database } from '../../platform/db/database.ts'
import type { Mount } from '../../platform/http/mount.ts'
import type { Page } from '../../platform/http/page.ts'
import type { Plans } from '../plan/index.ts'
import { readPublicAnnouncements } from '../vault/index.ts'
import { cacheFor } from './cache-for.ts'
import { readFigures } from './figures.ts'
import type { PoolHealth } from './pool-health.ts'

type PoolRoutesOptions = {
  db: Database
  chain: ChainConfig
  links: Pick<ApiConfig, 'walletConnect' | 'contactUrl' | 'btnSourceUrl'>
  plans: Plans
  decimals: Decimals
  countOverdue: () => Promise<number>
  readProduction: () => Promise<DataOf<'pool/figures'>['production']>
  readNextDay: () => Promise<DataOf<'pool/next-day'>>
  readHealth: () => Promise<PoolHealth>
  listTreasuryPayments: (page: Page) => Promise<DataOf<'pool/payments'>>
}

/** Anybody may call these routes, so their answers are cached for all callers. */
const FIGURES_CACHE_MS = 30_000
/** Apps that show a countdown wait for the close. */
const NEXT_DAY_CACHE_MS = 2_000

export function mountPool(
  mount: Mount,
  { chain, links, listTreasuryPayments, readNextDay, ...sources }: PoolRoutesOptions,
): void {
  const { id, name, publicRpcUrl, explorerUrl, currency, finalityMinutes } = chain
  const { vault, tokens } = chain.contracts
  mount('pool/chain', async () =>
    ok({
      chainId: id,
      name,
      rpcUrl: publicRpcUrl,
      currency,
      explorerUrl,
      vault,
      tokens,
      finalityMinutes,
      walletConnect: links.walletConnect,
      contactUrl: links.contactUrl,
      btnSourceUrl: links.btnSourceUrl,
    }),
  )

  mount('pool/payments', async ({ page }) => ok(await listTreasuryPayments(page)), { limit: { kind: 'publicReads' } })

  const cachedAnnouncements = cacheFor(FIGURES_CACHE_MS, () => readPublicAnnouncements(sources.db, chain.contracts))
  mount('pool/announcements', async () => ok(await cachedAnnouncements()))

  const cachedNextDay = cacheFor(NEXT_DAY_CACHE_MS, readNextDay)
  mount('pool/next-day', async () => ok(await cachedNextDay()))

  const cachedFigures = cacheFor(FIGURES_CACHE_MS, () => readFigures(sources))
  mount('pool/figures', async () => ok(await cachedFigures()))
}
