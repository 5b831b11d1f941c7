import { ok, refused } from '@lode/kernel'
import type { ApiConfig } from '../../platform/config/config.ts'
import { decimalsOf } from '../../platform/config/pool-contracts.ts'
import type { Database } from '../../platform/db/database.ts'
import type { Mount } from '../../platform/http/mount.ts'
import { createOpaqueIds } from '../../platform/http/opaque-ids.ts'
import { createPlanNoticeReader } from '../plan/index.ts'
import { readHelp } from './help.ts'
import { listNotices, markNoticeRead } from './notices.ts'
import { readShareCard } from './share-card.ts'

type ContentRoutesOptions = { config: Pick<ApiConfig, 'chain' | 'nonceSecret' | 'publicOrigin'>; db: Database }

export function mountContent(mount: Mount, { config, db }: ContentRoutesOptions): void {
  const decimals = decimalsOf(config.chain.contracts)
  const noticeOptions = {
    readPlanNotices: createPlanNoticeReader(decimals),
    ids: createOpaqueIds(config.nonceSecret, 'notice'),
    decimals,
  }

  mount('notice/list', async ({ session, page }) => ok(await listNotices(db, session.memberId, page, noticeOptions)))

  mount('notice/read', async ({ session, input: { id, andOlder = false } }) => {
    const notice = noticeOptions.ids.decode(session.memberId, id)
    if (notice === null) return refused('format')
    return ok({ unread: await markNoticeRead(db, session.memberId, { id: notice, andOlder }) })
  })

  mount('help/list', async ({ input }) => ok({ articles: await readHelp(db, input.lang) }))

  mount('share/card', async ({ session }) => ok(await readShareCard(db, session, config.publicOrigin)))
}
