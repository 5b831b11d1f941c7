import { orderTypes } from '@lode/wire'
import { sql } from 'kysely'
import type { Database } from '../../platform/db/database.ts'
import type { PostedTransaction } from '../ledger/index.ts'
import { readOrders } from '../orders/index.ts'
import type { Plans } from '../plan/index.ts'

/**
 * Checks the airdrop of a promotion in the ledger. Its order must have succeeded, and the order's price and the airdrop
 * must be those of the order's plan version. Returns what is wrong as text, or null. It returns null for every other
 * ledger transaction, also for the airdrop of an appointment.
 *
 * The database compares the airdrop with the order, but the owner of the database could disable that. The signer calls
 * this with plans whose signatures it verifies. So a wrong airdrop for a promotion cannot lead to a payout.
 */
export const createAirdropCheck =
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
    if (level?.price !== order.amount) return `plan ${order.planVersion} does not sell this level at this price`
    const isRight = postings.every(({ amount }) => amount === level.airdrop || amount === -level.airdrop)
    return isRight ? null : `plan ${order.planVersion} gives an airdrop of ${level.airdrop} for this level`
  }
