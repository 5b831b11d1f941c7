import { formatAmount, ok, units } from '@lode/kernel'
import type { Decimals } from '../../platform/config/pool-contracts.ts'
import type { Database } from '../../platform/db/database.ts'
import type { Mount } from '../../platform/http/mount.ts'
import type { Plans } from '../plan/index.ts'
import { applyForPartner } from './commands.ts'
import { readPartnerStatus } from './queries.ts'
import { collectPartnerReward, readPartnerReward } from './reward.ts'

type PartnerRoutesOptions = {
  db: Database
  plans: Plans
  decimals: Decimals
}

export function mountPartner(mount: Mount, { db, plans, decimals }: PartnerRoutesOptions): void {
  const status = async (member: bigint) =>
    ok({
      ...(await readPartnerStatus(db, member, await plans.inForce(db), decimals)),
      reward: await readPartnerReward(db, member, decimals),
    })

  mount('partner/status', ({ session }) => status(session.memberId))

  mount('partner/apply', async ({ session, input }) => {
    const applied = await applyForPartner({ db, session }, input)
    return applied.ok ? status(session.memberId) : applied
  })

  mount('partner/collect', async ({ session, input }) => {
    const collected = await collectPartnerReward({ db, session }, input)
    if (!collected.ok) return collected
    return ok({ amount: formatAmount(units('USDT', BigInt(collected.value)), decimals.USDT) })
  })
}
