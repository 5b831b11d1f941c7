import { sql } from 'kysely'
import type { Address } from 'viem'
import { askAt } from '../../platform/chain/at-block.ts'
import { addressFromColumn } from '../../platform/chain/column.ts'
import { type ChainNode, failureText, isNodeFailure } from '../../platform/chain/node.ts'
import type { Database } from '../../platform/db/database.ts'
import { faultPoint } from '../../platform/faults/fault-point.ts'
import { type BlockRef, isForgotten, type Settlement } from '../custody/index.ts'
import { type PayoutRow, readPayouts } from './row.ts'
import type { SettlementContext } from './settlement-context.ts'
import { isReleasedAt } from './vault.ts'

/**
 * `contradiction`: the vault has paid, but no log reported it. `unknown`: not every node that must answer has answered.
 */
type Conclusion = 'open' | 'over' | 'contradiction' | 'unknown'

/** The ledger, and the nodes to ask about the chain at the posted block. */
type Posted = { readonly db: Database; readonly nodes: readonly ChainNode[]; readonly posted: BlockRef }

type OpenRelease = { readonly number: bigint; readonly payer: Address; readonly nonce: bigint }

/**
 * Runs after final blocks were posted: ends the releases whose nonce is spent at the posted block. A payout without a
 * vault log by then was not paid, because the whole chain transaction failed.
 */
export const concludeReleases =
  (context: SettlementContext): Settlement['conclude'] =>
  async (db, nodes, posted) => {
    const found = new Set<Conclusion>()
    try {
      for (const release of await openReleases(db))
        found.add(await concludeOne(context, { db, nodes, posted }, release))
    } catch (error) {
      found.add('unknown')
      // If the node has dropped the state of this old block, a later posted block will do.
      if (!isForgotten(error)) throw error
    } finally {
      // Set once for all releases, so that none hides another's alarm. The alarm stays on until it is known to be over.
      if (found.has('contradiction')) context.metrics.contradictions.set(1)
      else if (!found.has('unknown')) context.metrics.contradictions.set(0)
    }
  }

async function concludeOne(
  context: SettlementContext,
  { db, nodes, posted }: Posted,
  { number, payer, nonce }: OpenRelease,
): Promise<Conclusion> {
  const { metrics, log } = context
  const [first, ...others] = nodes
  if (!first || (await countAt(first, payer, posted)) <= nonce) return 'open'
  const left = await readPayouts(db, sql`where release_number = ${number} and ended is null`)
  if (left.length > 0) {
    let paid = await firstPaid(context, left, first, posted)
    // The member of an unpaid payout can take the money back. So a second node must agree, if there is one.
    if (!paid && others.length > 0) {
      const second = await askSecondNode(context, others, posted, { left, payer, nonce })
      if (second === 'unknown') return 'unknown'
      paid = second
    }
    if (paid) {
      log.error({ payout: paid.id }, 'ALARM: the vault has paid, and no log of it was ever read')
      return 'contradiction'
    }
  }
  faultPoint('worker:before-end-release')
  const { rows } = await sql<{ back: number }>`select lode.end_release(${number}) as back`.execute(db)
  faultPoint('worker:after-end-release')
  const back = rows[0]?.back ?? 0
  if (back === 0) return 'over'
  metrics.stepsBack.inc({ reason: 'whole' }, back)
  log.warn({ release: Number(number), payouts: back }, 'a release failed as a whole: its payouts are queued again')
  return 'over'
}

type Unended = { readonly left: readonly PayoutRow[]; readonly payer: Address; readonly nonce: bigint }

/**
 * Asks the first other node that answers for a payout that the vault has made. Returns `unknown` if the nonce is not
 * spent according to that node.
 */
async function askSecondNode(
  context: SettlementContext,
  nodes: readonly ChainNode[],
  posted: BlockRef,
  { left, payer, nonce }: Unended,
): Promise<PayoutRow | null | 'unknown'> {
  for (const node of nodes)
    try {
      if ((await countAt(node, payer, posted)) <= nonce) return 'unknown'
      return await firstPaid(context, left, node, posted)
    } catch (error) {
      if (!isNodeFailure(error)) throw error
      context.log.warn({ node: node.name, failure: failureText(error) }, 'whether a release failed could not be asked')
    }
  return 'unknown'
}

async function firstPaid(
  { vault }: SettlementContext,
  left: readonly PayoutRow[],
  node: ChainNode,
  posted: BlockRef,
): Promise<PayoutRow | null> {
  for (const payout of left) if (await isReleasedAt(node, vault, payout.id, posted)) return payout
  return null
}

const countAt = (node: ChainNode, payer: Address, block: BlockRef): Promise<bigint> =>
  askAt(node, block, (at) => node.transactionCount(payer, at))

async function openReleases(db: Database): Promise<OpenRelease[]> {
  const { rows } = await sql<{ number: bigint; payer: Buffer; nonce: bigint }>`
    select number, payer, nonce from lode.release where ended_at is null order by number`.execute(db)
  return rows.map((row) => ({ ...row, payer: addressFromColumn(row.payer) }))
}
