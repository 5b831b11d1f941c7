import { poolVaultAbi } from '@lode/contracts'
import { minNotNegative } from '@lode/kernel'
import { type Address, encodeEventTopics } from 'viem'
import type { AgreedChain } from '../../platform/chain/agreed-chain.ts'
import { type ChainNode, NodeContradiction, NoSecondNode } from '../../platform/chain/node.ts'
import { readAtBlock } from '../../platform/chain/read-at-block.ts'
import { allVaultsOf, type PoolContracts } from '../../platform/config/pool-contracts.ts'
import type { Database } from '../../platform/db/database.ts'
import type { ReadAcknowledgedRestores } from '../operators/index.ts'
import { hasGivenUpRelease } from './revoked-payer.ts'
import type { LastNonces } from './rules.ts'
import { withOtherNodeTimeout } from './sending-context.ts'
import { PAYER_ROLE, readReleased } from './vault.ts'

/** The deployment grants the first roles. Later grants come two days after their notice. */
const DEPLOYMENT_BLOCKS = 100n
const DEPLOYMENT_MS = 86_400_000

/** What the chain says about the payer, and what the database knows. */
type PayerOnChain = {
  readonly payer: Address
  readonly pool: Pick<PoolContracts, 'vault' | 'formerVaults' | 'firstBlock'>
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
  { payer, pool, minedCount, lastNonces }: PayerOnChain,
  readAcknowledged: ReadAcknowledgedRestores,
): Promise<string | null> {
  if (await hasGivenUpRelease(connection, payer))
    return `${payer} lost its role while a release was on its way: name another account as payer`
  const { finalized } = agreed
  const finalCount = await readAtBlock(agreed, finalized, (at) => agreed.transactionCount(payer, at))
  if (finalCount > minedCount)
    throw new NodeContradiction(`${minedCount} transactions of the payer are in blocks, but ${finalCount} are final`)
  const known = lastNonces.signed + 1n
  if (minedCount <= known) return null
  const hasOnlyAccepted = known === 0n && minedCount === 1n && !(await isFirstPayer(agreed, pool, payer))
  if (hasOnlyAccepted) return null
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
 * Whether the payer got its role with the deployment. Every other payer has accepted its role before, with a transaction
 * of its own. If that one transaction was a lost release instead, the watcher stops at payouts that the ledger does not
 * have, or `findPaidAlready` finds them; and the vault burns under no id twice.
 */
async function isFirstPayer(agreed: AgreedChain, pool: PayerOnChain['pool'], payer: Address): Promise<boolean> {
  const topics = encodeEventTopics({
    abi: poolVaultAbi,
    eventName: 'RoleGranted',
    args: { role: PAYER_ROLE, account: payer },
  })
  const end = minNotNegative(pool.firstBlock + DEPLOYMENT_BLOCKS, agreed.finalized.number)
  const [granted] = await agreed.logs({ address: allVaultsOf(pool), topics }, pool.firstBlock, end)
  if (!granted) return false
  const [first, then] = await agreed.blocks([pool.firstBlock, granted.blockNumber])
  return first !== undefined && then !== undefined && then.time.getTime() - first.time.getTime() < DEPLOYMENT_MS
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
