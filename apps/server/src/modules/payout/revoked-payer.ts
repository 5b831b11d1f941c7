import { sql } from 'kysely'
import type { Address } from 'viem'
import { addressFromColumn, bytesOf } from '../../platform/chain/hex-column.ts'
import { type ChainNode, failureText, isNodeFailure } from '../../platform/chain/node.ts'
import { readAtBlock } from '../../platform/chain/read-at-block.ts'
import type { Database } from '../../platform/db/database.ts'
import type { BlockRef } from '../custody/index.ts'
import type { SettlementContext } from './settlement-context.ts'
import { isPayerAt, mayPayFromAny, type VaultsOfPool } from './vault.ts'

type UnspentNonce = { readonly payer: Address; readonly nonce: bigint }

/**
 * Whether no vault will ever pay a release. Its payer has lost the role, at the posted block and in the latest one,
 * and the nonce is not spent at the posted block. So whenever its transaction is mined, the vault refuses it. All nodes
 * that answer must say so, and a node of another origin, if there is one, must answer.
 */
export async function isGivenUp(
  context: SettlementContext,
  [first, ...others]: readonly ChainNode[],
  posted: BlockRef,
  release: UnspentNonce,
): Promise<boolean> {
  if (!first || !(await isRefusedBy(first, context.contracts, posted, release))) return false
  let isConfirmed = others.length === 0
  for (const other of others)
    try {
      if (!(await isRefusedBy(other, context.contracts, posted, release))) return false
      isConfirmed = true
    } catch (error) {
      if (!isNodeFailure(error)) throw error
      context.log.warn(
        { node: other.name, failure: failureText(error) },
        'a node could not tell whether a former payer may still pay',
      )
    }
  return isConfirmed
}

async function isRefusedBy(
  node: ChainNode,
  pool: VaultsOfPool,
  posted: BlockRef,
  { payer, nonce }: UnspentNonce,
): Promise<boolean> {
  if (await isPayerAt(node, pool, payer, posted)) return false
  if (await mayPayFromAny(node, pool, payer)) return false
  return (await readAtBlock(node, posted, (at) => node.transactionCount(payer, at))) <= nonce
}

/**
 * Raises an alarm while the vault gives its role again to a payer with a given-up release. Then the old transaction can
 * be mined and paid, although its member may have canceled the payout since.
 */
export async function watchRevokedPayers(
  { contracts, metrics, log }: SettlementContext,
  db: Database,
  node: ChainNode,
): Promise<void> {
  const { rows } = await sql<{ payer: Buffer }>`select distinct payer from lode.release where given_up`.execute(db)
  let restored = 0
  for (const payer of rows.map((row) => addressFromColumn(row.payer)))
    if (await mayPayFromAny(node, contracts, payer)) {
      restored += 1
      log.error({ payer }, 'ALARM: the vault trusts a payer again whose releases were given up: take its role away')
    }
  metrics.restoredPayers.set(restored)
}

/** Whether a release of this payer was given up. Then the payer must not be used again. */
export async function hasGivenUpRelease(db: Database, payer: Address): Promise<boolean> {
  const { rows } = await sql`
    select from lode.release where given_up and payer = ${bytesOf(payer)} limit 1`.execute(db)
  return rows.length > 0
}
