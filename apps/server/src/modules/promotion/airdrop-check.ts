import { orderTypes } from '@lode/wire'
import { sql } from 'kysely'
import type { Database } from '../../platform/db/database.ts'
import { isAirdrop, type PostedTransaction } from '../ledger/index.ts'
import { readOrders } from '../orders/index.ts'
import type { Plans } from '../plan/index.ts'

/**
 * Checks the airdrop of a promotion in the ledger. Its order must have succeeded, and the order's price and the airdrop
 * must be those of the order's plan version. Returns what is wrong as text, or null.
 *
 * The database compares the airdrop with the order, but the owner of the database could disable that. The signer calls
 * this with plans whose signatures it verifies. So a wrong airdrop for a promotion cannot lead to a payout.
 */
export const createPromotionAirdropCheck =
  (plans: Plans) =>
  async (db: Database, posted: PostedTransaction): Promise<string | null> => {
    const [, id] = /^order:([0-9a-f-]{36}):airdrop$/.exec(posted.key) ?? []
    const [order] = id ? await readOrders(db, sql`where pay_order.id = ${id}`) : []
    if (
      order?.type !== orderTypes.promotion ||
      order.memberId !== posted.member ||
      order.ended !== 'success' ||
      !order.airdropPaid
    )
      return 'there is no such promotion'
    const plan = await plans.byVersion(db, order.planVersion)
    const level = plan?.levels[order.level]
    if (level?.price !== order.amount) return `plan ${order.planVersion} does not sell this level at this price`
    const reserve = posted.type === 'airdropForActive' ? 'reserve:airdrop' : 'reserve:promotion'
    return isAirdrop(posted, reserve, level.airdrop)
      ? null
      : `plan ${order.planVersion} gives this member an airdrop of ${level.airdrop} for this level`
  }
