import { sql } from 'kysely'
import { bytesOf } from '../../../platform/chain/hex-column.ts'
import { idFromChain } from '../../../platform/chain/id-on-chain.ts'
import type { Database } from '../../../platform/db/database.ts'
import type { PayoutMovement } from '../../custody/index.ts'
import { post, type Transaction } from '../../ledger/index.ts'
import { type PayoutRow, readPayouts } from '../payout-row.ts'
import type { SettlementContext } from '../settlement-context.ts'
import { collectFirst } from './collect-first.ts'

/** The transaction that sets the money of a restored payout aside, and the payment that shows it. */
export type SetAside = { readonly transaction: Transaction; readonly movement: PayoutMovement }

/**
 * The worker's part of `lode restored`. The database was restored to an earlier moment, and the chain is read again:
 *
 *     deposit ── posted as always
 *     payment of an open payout ── settled as always
 *     payment of a payout that the database lost ── the payout is made again, its money set aside, then settled. If
 *                                                    the member's balance is too small, its rewards are collected first
 *
 * It happens in the transaction that posts the block of the payment. So everything that came in before that block is in
 * the ledger when the money is set aside.
 */
export async function restoreLostPayouts(
  context: SettlementContext,
  trx: Database,
  paid: readonly PayoutMovement[],
): Promise<SetAside[]> {
  const lost = await findLost(trx, paid)
  if (lost.length === 0) return []
  const ids = lost.map(({ id }) => id)
  await collectFirst(context, trx, ids)
  await returnTransfers(context, trx)
  const restored: string[] = []
  for (const { id, asset, amount, to, log } of lost) {
    const { rows } = await sql<{ done: boolean }>`
      select lode.restore_payout(${id}, ${asset}, ${String(amount)}::numeric, ${bytesOf(to)}, ${bytesOf(log.tx)}) as done`.execute(
      trx,
    )
    if (rows[0]?.done) restored.push(id)
    else context.log.error({ payout: id }, 'ALARM: a payout that was paid and lost cannot be restored')
  }
  const payouts = await readPayouts(trx, sql`where id = any (${restored}::uuid[]) order by number`)
  for (const { id } of payouts) context.log.warn({ payout: id }, 'a payout that was paid and lost is restored')
  const movementOf = new Map(lost.map((movement) => [movement.id, movement]))
  return payouts.flatMap((payout) => {
    const movement = movementOf.get(payout.id)
    return movement ? [{ transaction: context.buildSetAside(payout), movement }] : []
  })
}

async function findLost(trx: Database, paid: readonly PayoutMovement[]) {
  const movements = new Map(paid.flatMap((one) => [[idFromChain(one.payoutId) ?? '', one] as const]))
  movements.delete('')
  const { rows } = await sql<{ id: string }>`
    select id from lode.lost_payout lost
    where id = any (${Array.from(movements.keys())}::uuid[])
      and not exists (select from lode.payout where payout.id = lost.id)`.execute(trx)
  return rows.flatMap(({ id }) => {
    const movement = movements.get(id)
    return movement ? [{ ...movement, id }] : []
  })
}

/**
 * Gives back the money of the transfers that `lode restored` returns to their members. It runs before a lost payout is
 * made again, because the member may have canceled the one and asked for the other with the same money.
 */
export async function returnTransfers(context: SettlementContext, trx: Database): Promise<void> {
  const open = await readPayouts(
    trx,
    sql`where ended is null and release_number is null
        and id in (select payout_id from lode.returned_transfer) order by id`,
  )
  if (open.length === 0) return
  const ids = open.map(({ id }) => id)
  await sql`select lode.lock_payouts(${ids}::uuid[])`.execute(trx)
  const returned: PayoutRow[] = []
  for (const payout of open) {
    const { rows } = await sql<{ done: boolean }>`select lode.return_transfer(${payout.id}) as done`.execute(trx)
    if (rows[0]?.done) returned.push(payout)
  }
  const outcomes = await post(trx, returned.map(context.buildUnfreeze))
  for (const [index, { outcome }] of outcomes.entries())
    if (outcome !== 'posted') throw new Error(`transfer ${returned[index]?.id} could not be returned: ${outcome}`)
  context.log.warn({ transfers: returned.length }, 'open transfers are returned to their members after a restore')
}
