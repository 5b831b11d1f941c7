import type { Address } from 'viem'
import type { AgreedChain } from '../../platform/chain/agreed-chain.ts'
import { type ChainNode, NodeContradiction, NoSecondNode } from '../../platform/chain/node.ts'
import { readAtBlock } from '../../platform/chain/read-at-block.ts'
import type { Database } from '../../platform/db/database.ts'
import type { ReadAcknowledgedRestores } from '../operators/index.ts'
import { hasGivenUpRelease } from './revoked-payer.ts'
import type { LastNonces } from './rules.ts'
import { withOtherNodeTimeout } from './sending-context.ts'
import { readReleased } from './vault.ts'

/**
 * A new payer accepts its role with a transaction of its own. If the lost one was a release instead, the watcher stops at
 * its payouts, which the ledger does not have, or `findPaidAlready` finds them; and the vault burns no id twice.
 */
const TRANSACTIONS_BEFORE_FIRST_RELEASE = 1n

/** What the chain says about the payer, and what the database knows. */
type PayerOnChain = {
  readonly payer: Address
  /** How many of the payer's transactions are in blocks, final or not. */
  readonly minedCount: bigint
  readonly lastNonces: LastNonces
}

/**
 * Finds out whether the chain has transactions of the payer that the database does not know. Then the database forgot a
 * release, or somebody else uses the key. This works without a journal, for example on another host. A payer whose release
 * was given up may not be used at all. What the payer had made up to the block of a restore that two operators have
 * acknowledged is known. Returns the reason, as text, why nothing may be signed, or null.
 */
export async function findUnknownTransaction(
  connection: Database,
  agreed: AgreedChain,
  { payer, minedCount, lastNonces }: PayerOnChain,
  readAcknowledged: ReadAcknowledgedRestores,
): Promise<string | null> {
  if (await hasGivenUpRelease(connection, payer))
    return `${payer} lost its role while a release was on its way: name another account as payer`
  const { finalized } = agreed
  const finalCount = await readAtBlock(agreed, finalized, (at) => agreed.transactionCount(payer, at))
  if (finalCount > minedCount)
    throw new NodeContradiction(`${minedCount} transactions of the payer are in blocks, but ${finalCount} are final`)
  const known = lastNonces.signed < 0n ? TRANSACTIONS_BEFORE_FIRST_RELEASE : lastNonces.signed + 1n
  if (minedCount <= known) return null
  const restores = await readAcknowledged(connection)
  const compared = restores.map(({ chainBlock }) => chainBlock).filter((block) => block <= agreed.finalized.number)
  for (const blockNumber of compared)
    if (minedCount <= (await agreed.transactionCount(payer, { blockNumber }))) return null
  return (
    `${payer} has made ${minedCount} transactions, of which the database knows ${known}: it lost a release, or the ` +
    'key is used elsewhere and must be replaced. Run: lode restored'
  )
}

/**
 * Finds a payout that is queued here, and that the vault has paid in the latest block of any node. The database forgot
 * its release. The vault would not pay it twice, but signing it again would waste gas and hide what was lost. Returns
 * the reason, as text, why nothing may be signed, or null.
 */
export async function findPaidAlready(
  node: ChainNode,
  others: readonly ChainNode[],
  vault: Address,
  queued: readonly string[],
): Promise<string | null> {
  if (queued.length === 0) return null
  const ask = async (each: ChainNode) => ({ each, paid: await readReleased(each, vault, queued) })
  const answers = await Promise.all([
    ask(node),
    ...others.map((other) =>
      withOtherNodeTimeout(
        ask(other).catch(() => null),
        null,
      ),
    ),
  ])
  const given = answers.filter((answer) => answer !== null)
  const hasOtherOrigin = others.some(({ name }) => name !== node.name)
  if (hasOtherOrigin && given.every(({ each }) => each.name === node.name))
    throw new NoSecondNode('no second node tells which payouts the vault has paid')
  for (const { each, paid } of given)
    for (const [index, isPaid] of paid.entries())
      if (isPaid)
        return (
          `payout ${queued[index]} is queued, but ${each.name} says that the vault has paid it: the database lost ` +
          'its release. Run: lode restored'
        )
  return null
}
