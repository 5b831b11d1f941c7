import { ok, refused } from '@lode/kernel'
import type { ApiConfig } from '../../platform/config/config.ts'
import type { Database } from '../../platform/db/database.ts'
import type { Mount } from '../../platform/http/mount.ts'
import { pageSize } from '../../platform/http/page.ts'
import { createOpaqueIds } from './opaque-ids.ts'
import { readInvitations, readNet, readPlace } from './queries.ts'
import { overviewOf } from './rules.ts'

type TeamRoutes = { config: Pick<ApiConfig, 'chain' | 'nonceSecret'>; db: Database }

export function mountTeam(mount: Mount, { config, db }: TeamRoutes): void {
  const { decimals } = config.chain.contracts.tokens.USDT
  const nodes = createOpaqueIds(config.nonceSecret, 'team node')
  const invitations = createOpaqueIds(config.nonceSecret, 'team invitation')

  mount('team/overview', async ({ session }) => ok(overviewOf(await readPlace(db, session.memberId), decimals)))

  mount('team/net', async ({ session, input }) => {
    const { memberId } = session
    const root = input.root === undefined ? memberId : nodes.memberOf(memberId, input.root)
    return root === null ? refused('team-node-unknown') : readNet(db, memberId, root, nodes)
  })

  mount('team/invitations', async ({ session, input }) => {
    const { cursor, limit } = input
    const before = cursor === undefined ? null : invitations.memberOf(session.memberId, cursor)
    if (cursor !== undefined && before === null) return refused('format')
    const page = { before, limit: pageSize(limit) }
    return ok(await readInvitations(db, session.memberId, page, invitations))
  })
}
