import { ok } from '@lode/kernel'
import type { ChainConfig } from '../../platform/config/config.ts'
import { decimalsOf } from '../../platform/config/pool-contracts.ts'
import type { Database } from '../../platform/db/database.ts'
import type { Mount } from '../../platform/http/mount.ts'
import type { Plans } from '../plan/index.ts'
import { collectAll } from './commands.ts'
import { readIncome } from './income.ts'
import { readHome } from './queries.ts'
import { formatCollected } from './rules.ts'

type HomeRoutesOptions = { chain: ChainConfig; db: Database; plans: Plans }

export function mountHome(mount: Mount, { chain, db, plans }: HomeRoutesOptions): void {
  const decimals = decimalsOf(chain.contracts)
  const { priceMaxAgeSeconds } = chain

  mount('account/home', async ({ session }) =>
    ok(await readHome(db, session.memberId, { decimals, priceMaxAgeSeconds, plans })),
  )

  mount('account/income', async ({ session, input }) =>
    ok(await readIncome(db, session.memberId, input.period, { decimals, priceMaxAgeSeconds })),
  )

  mount('account/collect', async ({ session, input, request }) => {
    const onFailure = (part: string, error: unknown) =>
      request.log.error({ err: error, part }, 'collecting a part failed')
    const collected = await collectAll({ db, session, onFailure }, input)
    return collected.ok ? ok({ parts: formatCollected(collected.value, decimals) }) : collected
  })
}
