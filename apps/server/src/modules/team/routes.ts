import { ok, refused } from '@lode/kernel'
import type { ApiConfig } from '../../platform/config/config.ts'
import type { Database } from '../../platform/db/database.ts'
import type { Mount } from '../../platform/http/mount.ts'
import { createOpaqueIds } from '../../platform/http/opaque-ids.ts'
import { findInNet, readInvitations, readNet, readTeamFigures } from './queries.ts'
import { formatOverview } from './rules.ts'

type TeamRoutesOptions = { config: Pick<ApiConfig, 'chain' | 'nonceSecret'>; db: Database }

export function mountTeam(mount: Mount, { config, db }: TeamRoutesOptions): void {
  const { decimals } = config.chain.contracts.tokens.USDT
  // The keys that encrypt these ids are derived from the nonce secret, one key for each purpose.
  const nodeIds = createOpaqueIds(config.nonceSecret, 'team node')
  const invitationIds = createOpaqueIds(config.nonceSecret, 'team invitation')

  mount('team/overview', async ({ session }) =>
    ok(formatOverview(await readTeamFigures(db, session.memberId), decimals)),
  )

  mount('team/net', async ({ session, input }) => {
    const { memberId } = session
    const root =
      input.find !== undefined
        ? await findInNet(db, memberId, input.find)
        : input.root === undefined
          ? memberId
          : nodeIds.decode(memberId, input.root)
    return root === null ? refused('team-node-unknown') : readNet(db, memberId, root, nodeIds)
  })

  mount('team/invitations', async ({ session, page }) =>
    ok(await readInvitations(db, session.memberId, page, { invitationIds, nodeIds })),
  )
}
