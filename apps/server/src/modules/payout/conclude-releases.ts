import { sql } from 'kysely'
import type { Address } from 'viem'
import { addressFromColumn } from '../../platform/chain/hex-column.ts'
import { type ChainNode, failureText, isNodeFailure } from '../../platform/chain/node.ts'
import { readAtBlock } from '../../platform/chain/read-at-block.ts'
import type { Database } from '../../platform/db/database.ts'
import { faultPoint } from '../../platform/faults/fault-point.ts'
import { type BlockRef, isStatePruned, type PayoutSettlement } from '../custody/index.ts'
import { type PayoutRow, readPayouts } from './payout-row.ts'
import { returnTransfers } from './restore/restore-lost.ts'
import { isGivenUp, watchRevokedPayers } from './revoked-payer.ts'
import type { SettlementContext } from './settlement-context.ts'
import { isReleasedAt } from './vault.ts'

/**
 * The result for one release. `open`: its nonce is not spent yet. `over`: it has ended. `contradiction`: the vault has
 * paid a payout of which no log was read. `unknown`: a node that must confirm has not answered, or does not agree yet.
 */
type Conclusion = 'open' | 'over' | 'contradiction' | 'unknown'

/** The database, and the nodes to ask about the chain at the posted block. */
type ConcludeContext = { readonly db: Database; readonly nodes: readonly ChainNode[]; readonly posted: BlockRef }

type OpenRelease = { readonly number: bigint; readonly payer: Address; readonly nonce: bigint }

/**
 * Runs after final blocks are posted. It ends each release whose nonce is spent at the posted block. If a payout of the
 * release has no vault log up to that block, the whole chain transaction failed, and the payout was not paid. A release
 * with an open payout of a stopped asset waits: the log of the payment may be among those that are held. A release in no
 * block ends too, if its payer has lost the role. Before all that, it gives back the transfers that `lode restored`
 * returns to their members.
 */
export const concludeReleases =
  (context: SettlementContext): PayoutSettlement['conclude'] =>
  async (db, nodes, posted) => {
    await db.transaction().execute((trx) => returnTransfers(context, trx))
    const found = new Set<Conclusion>()
    try {
      for (const release of await readOpenNonces(db))
        found.add(await concludeOne(context, { db, nodes, posted }, release))
      if (nodes[0]) await watchRevokedPayers(context, db, nodes[0])
    } catch (error) {
      found.add('unknown')
      // The node has dropped the state of this old block. The next call asks for a later posted block.
      if (!isStatePruned(error)) throw error
    } finally {
      // Set once for all releases, so that no release clears the alarm of another. An unknown result keeps it on.
      if (found.has('contradiction')) context.metrics.contradictions.set(1)
      else if (!found.has('unknown')) context.metrics.contradictions.set(0)
    }
  }

async function concludeOne(
  context: SettlementContext,
  { db, nodes, posted }: ConcludeContext,
  { number, payer, nonce }: OpenRelease,
): Promise<Conclusion> {
  const [first, ...others] = nodes
  if (!first) return 'open'
  if ((await readCountAt(first, payer, posted)) <= nonce) {
    if (!(await isGivenUp(context, nodes, posted, { payer, nonce }))) return 'open'
    const givenUp = await sql<{ back: number }>`select lode.give_up_release(${number}) as back`.execute(db)
    reportStepsBack(context, number, givenUp.rows[0]?.back ?? 0, 'revoked')
    return 'over'
  }
  const unpaid = await readPayouts(db, sql`where release_number = ${number} and ended is null`)
  let paid = await findPaid(context, unpaid, first, posted)
  // A payout that steps back can be canceled by its member. And if a release ends whose nonce is not spent, the signer
  // takes every honest node for one that is behind. So a node of another origin, if there is one, must agree first.
  if (!paid && others.length > 0) {
    const second = await askOtherNodes(context, others, posted, { unpaid, payer, nonce })
    if (second === 'unknown') return 'unknown'
    paid = second
  }
  if (paid) {
    context.log.error({ payout: paid.id }, 'ALARM: the vault has paid this payout, but no log of the payment was read')
    return 'contradiction'
  }
  faultPoint('worker:before-end-release')
  const { rows } = await sql<{ back: number }>`select lode.end_release(${number}) as back`.execute(db)
  faultPoint('worker:after-end-release')
  reportStepsBack(context, number, rows[0]?.back ?? 0, 'whole')
  return 'over'
}

const STEP_BACK_TEXTS = {
  whole: 'a release failed as a whole: its payouts are queued again',
  revoked: 'a release of a payer that lost its role was given up: its payouts are queued again',
} as const

function reportStepsBack(
  { metrics, log }: SettlementContext,
  release: bigint,
  payouts: number,
  reason: keyof typeof STEP_BACK_TEXTS,
): void {
  if (payouts === 0) return
  metrics.stepsBack.inc({ reason }, payouts)
  log.warn({ release: Number(release), payouts }, STEP_BACK_TEXTS[reason])
}

type UnendedRelease = { readonly unpaid: readonly PayoutRow[]; readonly payer: Address; readonly nonce: bigint }

/**
 * Asks all other nodes. Returns a payout that the vault has paid according to one of them, or null if there is none.
 * Returns `unknown` if no node answers, or if the nonce is not spent according to one of them.
 */
async function askOtherNodes(
  context: SettlementContext,
  nodes: readonly ChainNode[],
  posted: BlockRef,
  { unpaid, payer, nonce }: UnendedRelease,
): Promise<PayoutRow | null | 'unknown'> {
  let hasAnswer = false
  for (const node of nodes)
    try {
      if ((await readCountAt(node, payer, posted)) <= nonce) return 'unknown'
      const paid = await findPaid(context, unpaid, node, posted)
      if (paid) return paid
      hasAnswer = true
    } catch (error) {
      if (!isNodeFailure(error)) throw error
      context.log.warn(
        { node: node.name, failure: failureText(error) },
        'a node could not tell whether a release failed',
      )
    }
  return hasAnswer ? null : 'unknown'
}

async function findPaid(
  { contracts }: SettlementContext,
  unpaid: readonly PayoutRow[],
  node: ChainNode,
  posted: BlockRef,
): Promise<PayoutRow | null> {
  for (const payout of unpaid) if (await isReleasedAt(node, contracts.vault, payout.id, posted)) return payout
  return null
}

const readCountAt = (node: ChainNode, payer: Address, block: BlockRef): Promise<bigint> =>
  readAtBlock(node, block, (at) => node.transactionCount(payer, at))

async function readOpenNonces(db: Database): Promise<OpenRelease[]> {
  const { rows } = await sql<{ number: bigint; payer: Buffer; nonce: bigint }>`
    select number, payer, nonce from lode.release
    where ended_at is null and not exists (
      select from lode.payout join lode.asset_stop on asset_stop.asset = payout.asset
      where payout.release_number = release.number and payout.ended is null)
    order by number`.execute(db)
  return rows.map((row) => ({ ...row, payer: addressFromColumn(row.payer) }))
}
