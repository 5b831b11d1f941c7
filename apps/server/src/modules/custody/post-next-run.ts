import { assets } from '@lode/kernel'
import type { Address } from 'viem'
import { type Block, type ChainNode, NodeContradiction } from '../../platform/chain/node.ts'
import { divideCredits, findFirstUnconfirmed, readSingleSourceSums, selectPayoutLogs } from './agreement.ts'
import { type BalanceDifference, readVaultBalances, VaultDiffers } from './balance-check.ts'
import { type BlockRef, loadColdAddresses } from './chain-state.ts'
import type { ClaimTracker } from './claim-tracker.ts'
import { type FinalRun, readFinalRun } from './final-blocks.ts'
import { type InterpretedLogs, interpretLogs, type Movement, type UnpaidPayout } from './interpret-logs.ts'
import { postBlocks, type RunToPost, WatcherMustStop } from './post-blocks.ts'
import { otherNodes, type WatcherContext } from './watcher-context.ts'

/** The logs of one run of final blocks, and what they mean. */
type InterpretedRun = FinalRun & {
  readonly after: BlockRef
  readonly interpreted: InterpretedLogs
  readonly cold: ReadonlySet<Address>
}

/**
 * Posts the next run of final blocks. It reads their logs and asks a second node where the agreement rule needs one. If
 * a log is not confirmed, it posts only the blocks before that log. `more`: the next run can be posted at once.
 * `enough`: all final blocks are posted, or a log waits for a second node.
 */
export async function postNextRun(
  context: WatcherContext,
  node: ChainNode,
  after: BlockRef,
  finalized: Block,
): Promise<'more' | 'enough'> {
  if (finalized.number <= after.number) return 'enough'
  const run = await readRun(context, node, after, finalized)
  const { singleSource, unconfirmed } = await confirmWithSecondNode(context, node, run)
  // Blocks before the unconfirmed log are posted without waiting for it.
  const last = unconfirmed ? unconfirmed.log.blockNumber - 1n : run.last
  if (last === after.number) return 'enough'

  const outcome = await postRun(context, await prepareRun(context, node, { run, singleSource, last }))
  if (outcome === 'posted by another worker') return unconfirmed ? 'enough' : 'more'
  return unconfirmed || last === finalized.number ? 'enough' : 'more'
}

async function readRun(
  context: WatcherContext,
  node: ChainNode,
  after: BlockRef,
  finalized: Block,
): Promise<InterpretedRun> {
  const { db, chain, claims } = context
  const cold = await loadColdAddresses(db, after)
  const run = await readFinalRun(node, chain.contracts, cold, after.number, finalized)
  const interpreted = interpretLogs(run.logs, chain.contracts, cold)
  const [problem] = interpreted.problems
  if (problem)
    throw errorForClaim(claims.impossibleLogs, `${problem.text} (${problem.log.tx}, log ${problem.log.logIndex})`)
  claims.impossibleLogs.reset()
  return { ...run, after, interpreted, cold }
}

/** Returns the credits that need no second node, and the first log that needs one and is not confirmed. */
async function confirmWithSecondNode(
  context: WatcherContext,
  node: ChainNode,
  { interpreted, cold }: InterpretedRun,
): Promise<{ singleSource: readonly Movement[]; unconfirmed: Movement | UnpaidPayout | null }> {
  const { db, chain, watcher, alarms } = context
  const sums = await readSingleSourceSums(db, node.name)
  const { singleSource, needSecond } = divideCredits(interpreted.movements, watcher.agreement, sums)
  const others = otherNodes(context, node)
  const toConfirm = others.length > 0 ? [...needSecond, ...selectPayoutLogs(interpreted)] : needSecond
  const unconfirmed = await findFirstUnconfirmed(toConfirm, others, {
    pool: chain.contracts,
    cold,
    finality: chain.finality,
  })
  alarms.waiting(unconfirmed && describeLog(unconfirmed))
  return { singleSource, unconfirmed }
}

/** Returns the part of the run up to and including block `last`, with the vault's balances at that block. */
async function prepareRun(
  { chain }: WatcherContext,
  node: ChainNode,
  { run, singleSource, last }: { run: InterpretedRun; singleSource: readonly Movement[]; last: bigint },
): Promise<RunToPost> {
  const lastBlock = run.blocks.get(last) ?? (await node.blocks([last]))[0]
  if (!lastBlock) throw new NodeContradiction('the node did not return a block that was requested')
  const { movements, notPaid, poolAddresses } = run.interpreted
  return {
    after: run.after,
    last: lastBlock,
    movements: movements.filter(({ log }) => log.blockNumber <= last),
    notPaid: notPaid.filter(({ log }) => log.blockNumber <= last),
    poolAddresses: poolAddresses.filter(({ sinceBlock }) => sinceBlock <= last),
    timeOf: (number: bigint) => run.blocks.get(number)?.time ?? lastBlock.time,
    node: node.name,
    singleSource: singleSource.filter(({ log }) => log.blockNumber <= last),
    vaultBalances: await readVaultBalances(node, chain.contracts, lastBlock),
  }
}

async function postRun(context: WatcherContext, blocks: RunToPost): Promise<'posted' | 'posted by another worker'> {
  const { db, chain, settlements, metrics, claims } = context
  const result = await postBlocks(db, chain.id, blocks, settlements).catch((error: unknown) => {
    if (error instanceof VaultDiffers) setDifferenceMetric(context, error.differences)
    throw error instanceof WatcherMustStop ? errorForClaim(claims.unpostableLogs, error.message) : error
  })
  claims.unpostableLogs.reset()
  if (result === 'elsewhere') return 'posted by another worker'
  setDifferenceMetric(context, result === 'checked' ? [] : null)
  if (result === 'checked') metrics.checkedBlock.set(Number(blocks.last.number))
  for (const { kind } of blocks.movements) metrics.movements.inc({ kind })
  return 'posted'
}

/** Pass null if vault and ledger could not be compared: then the metric is absent. */
function setDifferenceMetric({ metrics }: WatcherContext, differences: readonly BalanceDifference[] | null): void {
  metrics.custodyDifference.reset()
  if (!differences) return
  for (const asset of assets) metrics.custodyDifference.set({ asset }, 0)
  for (const { asset, chain, ledger } of differences) metrics.custodyDifference.set({ asset }, Number(chain - ledger))
}

/** The error for a claim: the next node is tried (NodeContradiction) until the claim has lasted (WatcherMustStop). */
const errorForClaim = (tracker: ClaimTracker, claim: string): Error =>
  tracker.record(claim) ? new WatcherMustStop(claim) : new NodeContradiction(claim)

const describeLog = (item: Movement | UnpaidPayout): string =>
  'payoutId' in item
    ? `the log of payout ${item.payoutId} in ${item.log.tx}`
    : `${item.amount} ${item.asset} of ${item.log.tx}`
