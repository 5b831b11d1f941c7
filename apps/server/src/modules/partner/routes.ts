import { ok } from '@lode/kernel'
import type { DataOf } from '@lode/wire'
import type { Decimals } from '../../platform/config/pool-contracts.ts'
import type { Database } from '../../platform/db/database.ts'
import type { Mount } from '../../platform/http/mount.ts'
import type { Plans } from '../plan/index.ts'
import { applyForPartner } from './commands.ts'
import { readStatus } from './queries.ts'

type PartnerRoutes = {
  db: Database
  plans: Plans
  decimals: Decimals
  readReward: (member: bigint) => Promise<DataOf<'partner/status'>['reward']>
}

export function mountPartner(mount: Mount, { db, plans, decimals, readReward }: PartnerRoutes): void {
  const status = async (member: bigint) =>
    ok({ ...(await readStatus(db, member, await plans.inForce(db), decimals)), reward: await readReward(member) })

  mount('partner/status', ({ session }) => status(session.memberId))

  mount('partner/apply', async ({ session, input }) => {
    const applied = await applyForPartner({ db, session }, input)
    return applied.ok ? status(session.memberId) : applied
  })
}
