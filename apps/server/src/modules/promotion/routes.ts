import { formatAmount, ok, parseAmount, refused, units } from '@lode/kernel'
import { orderTypes } from '@lode/wire'
import type { ApiConfig } from '../../platform/config/config.ts'
import type { Database } from '../../platform/db/database.ts'
import type { Mount } from '../../platform/http/mount.ts'
import { createOpaqueIds } from '../../platform/http/opaque-ids.ts'
import { type OrderDisplayOptions, type PurchaseContext, readOrder } from '../orders/index.ts'
import type { Plans } from '../plan/index.ts'
import type { PasswordHashing } from '../protection/index.ts'
import { claimRewards, orderPromotion } from './commands.ts'
import { listRewards, readOverview } from './queries.ts'

type PromotionRoutesOptions = {
  config: Pick<ApiConfig, 'nonceSecret'>
  db: Database
  plans: Plans
  hashing: PasswordHashing
  showing: OrderDisplayOptions
  onlineRefusal: PurchaseContext['onlineRefusal']
}

export function mountPromotion(mount: Mount, routes: PromotionRoutesOptions): void {
  const { config, db, plans, hashing, showing, onlineRefusal } = routes
  const { decimals } = showing
  const rewardIds = createOpaqueIds(config.nonceSecret, 'reward')

  mount('promotion/overview', async ({ session }) =>
    ok(await readOverview(db, session.memberId, await plans.inForce(db), showing)),
  )

  mount(
    'promotion/order',
    async ({ session, input }) => {
      const { key, planVersion, level, password = null } = input
      const balancePart = parseAmount('USDT', decimals.USDT, input.balancePart)
      // A password is required if a part is paid from the balance. Otherwise it is refused, not verified for nothing.
      if (!balancePart.ok || (password === null) !== (balancePart.value === 0n)) return refused('format')
      const order = { key, planVersion, level, balancePart: balancePart.value, password }
      const made = await orderPromotion({ db, hashing, plans, session, onlineRefusal }, order)
      if (!made.ok) return made
      const shown = await readOrder(db, session.memberId, made.value, showing)
      if (shown?.type !== orderTypes.promotion) throw new Error(`order ${made.value} was just made and cannot be read`)
      return ok(shown)
    },
    // A call with a password is rate-limited, because it may run a slow password verification.
    { limit: { kind: 'protecting', when: ({ password }) => password !== undefined } },
  )

  mount('promotion/rewards', async ({ session, input, page }) => {
    const { status, type } = input
    const asked = { ...page, ...(status && { status }), ...(type && { type }) }
    return ok(await listRewards(db, session.memberId, asked, { decimals, ids: rewardIds }))
  })

  mount('promotion/claim', async ({ session, input }) => {
    const claimed = await claimRewards({ db, session }, input)
    if (!claimed.ok) return claimed
    const { rewards, amount } = claimed.value
    return ok({ rewards, amount: formatAmount(units('USDT', BigInt(amount)), decimals.USDT) })
  })
}
