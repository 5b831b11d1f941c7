import { orderTypes } from '@lode/wire'
import { sql } from 'kysely'
import type { Database } from '../../platform/db/database.ts'
import type { PostedTransaction } from '../ledger/index.ts'
import { readOrders } from '../orders/index.ts'
import type { Plans } from '../plan/index.ts'

/**
 * Whether an airdrop that is in the books is what a promotion brought: of an order that succeeded, by the plan that it was made under,
 * at that plan's price. In words, what is wrong with it.
 *
 * The processes that make orders say themselves what an order gives. Whoever signs payouts asks here, with plans whose signatures
 * it verifies, so that nobody is paid who wrote an order that no plan knows.
 */
export const createAirdropVouching =
  (plans: Plans) =>
  async (db: Database, { type, member, key, postings }: PostedTransaction): Promise<string | null> => {
    if (type !== 'airdropForActive' && type !== 'airdropForPromotion') return null
    const [, id] = /^order:([0-9a-f-]{36}):airdrop$/.exec(key) ?? []
    const [order] = id ? await readOrders(db, sql`where pay_order.id = ${id}`) : []
    if (
      order?.type !== orderTypes.promotion ||
      order.memberId !== member ||
      order.ended !== 'success' ||
      !order.airdropPaid
    )
      return 'there is no such promotion'
    const plan = await plans.byVersion(db, order.planVersion)
    const level = plan?.levels[order.level]
    if (level?.price !== order.amount) return `plan ${order.planVersion} sells no such level`
    const isRight = postings.every(({ amount }) => amount === level.airdrop || amount === -level.airdrop)
    return isRight ? null : `plan ${order.planVersion} gives ${level.airdrop} for it`
  }
