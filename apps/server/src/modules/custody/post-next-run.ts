import { assets } from '@lode/kernel'
import type { Address } from 'viem'
import { type Block, type ChainNode, NodeContradiction } from '../../platform/chain/node.ts'
import { divideCredits, firstUnconfirmed, ofPayouts, singleSourceSums } from './agreement.ts'
import { type Difference, VaultDiffers, vaultBalances } from './balance-check.ts'
import type { Belief } from './belief.ts'
import { type FinalRun, readFinalRun } from './final-blocks.ts'
import { CannotGoOn, type FinalBlocks, postBlocks } from './posting.ts'
import { type Movement, type NotPaid, type Reading, readLogs } from './rules.ts'
import { type BlockRef, coldAddresses } from './state.ts'
import { otherNodes, type WatcherContext } from './watcher-context.ts'

/** The logs of one run of final blocks, and what they mean. */
type Run = FinalRun & { readonly after: BlockRef; readonly reading: Reading; readonly cold: ReadonlySet<Address> }

/**
 * Posts the next run of final blocks. It reads their logs and asks a second node where the agreement rule needs one. If
 * a log is not confirmed, it posts only the blocks before that log. `more`: further blocks are final, and none of them
 * waits for a second node.
 */
export async function postNextRun(
  context: WatcherContext,
  node: ChainNode,
  after: BlockRef,
  finalized: Block,
): Promise<'more' | 'enough'> {
  if (finalized.number <= after.number) return 'enough'
  const run = await readRun(context, node, after, finalized)
  const { alone, unconfirmed } = await askSecondNode(context, node, run)
  // Blocks before the unconfirmed log are posted without waiting for it.
  const last = unconfirmed ? unconfirmed.log.blockNumber - 1n : run.last
  if (last === after.number) return 'enough'

  const outcome = await post(context, await finalBlocks(context, node, { run, alone, last }))
  if (outcome === 'posted by another worker') return unconfirmed ? 'enough' : 'more'
  return unconfirmed || last === finalized.number ? 'enough' : 'more'
}

async function readRun(context: WatcherContext, node: ChainNode, after: BlockRef, finalized: Block): Promise<Run> {
  const { db, chain, beliefs } = context
  const cold = await coldAddresses(db, after)
  const run = await readFinalRun(node, chain.contracts, cold, after.number, finalized)
  const reading = readLogs(run.logs, chain.contracts, cold)
  const [problem] = reading.problems
  if (problem)
    throw stopOnlyIfItLasts(beliefs.impossibleLogs, `${problem.what} (${problem.log.tx}, log ${problem.log.logIndex})`)
  beliefs.impossibleLogs.contradict()
  return { ...run, after, reading, cold }
}

/** Returns the credits that need only this node, and the first log that needs a second node and is not confirmed. */
async function askSecondNode(
  context: WatcherContext,
  node: ChainNode,
  { reading, cold }: Run,
): Promise<{ alone: readonly Movement[]; unconfirmed: Movement | NotPaid | null }> {
  const { db, chain, watcher, alarms } = context
  const sums = await singleSourceSums(db, node.name)
  const { alone, needSecond } = divideCredits(reading.movements, watcher.agreement, sums)
  const others = otherNodes(context, node)
  const toConfirm = others.length > 0 ? [...needSecond, ...ofPayouts(reading)] : needSecond
  const unconfirmed = await firstUnconfirmed(toConfirm, others, {
    pool: chain.contracts,
    cold,
    finality: chain.finality,
  })
  alarms.waiting(unconfirmed && inWords(unconfirmed))
  return { alone, unconfirmed }
}

/** The run up to and including block `last`, ready to be posted. */
async function finalBlocks(
  { chain }: WatcherContext,
  node: ChainNode,
  { run, alone, last }: { run: Run; alone: readonly Movement[]; last: bigint },
): Promise<FinalBlocks> {
  const lastBlock = run.blocks.get(last) ?? (await node.blocks([last]))[0]
  if (!lastBlock) throw new NodeContradiction('a block was asked for and not given')
  const { movements, notPaid, poolAddresses } = run.reading
  return {
    after: run.after,
    last: lastBlock,
    movements: movements.filter(({ log }) => log.blockNumber <= last),
    notPaid: notPaid.filter(({ log }) => log.blockNumber <= last),
    poolAddresses: poolAddresses.filter(({ sinceBlock }) => sinceBlock <= last),
    timeOf: (number: bigint) => run.blocks.get(number)?.time ?? lastBlock.time,
    node: node.name,
    alone: alone.filter(({ log }) => log.blockNumber <= last),
    held: await vaultBalances(node, chain.contracts, lastBlock),
  }
}

async function post(context: WatcherContext, blocks: FinalBlocks): Promise<'posted' | 'posted by another worker'> {
  const { db, chain, settlements, metrics, beliefs } = context
  const posting = await postBlocks(db, chain.id, blocks, settlements).catch((error: unknown) => {
    if (error instanceof VaultDiffers) showDifferences(context, error.differences)
    throw error instanceof CannotGoOn ? stopOnlyIfItLasts(beliefs.unbookableLogs, error.message) : error
  })
  beliefs.unbookableLogs.contradict()
  if (posting === 'elsewhere') return 'posted by another worker'
  showDifferences(context, posting === 'checked' ? [] : null)
  if (posting === 'checked') metrics.checkedBlock.set(Number(blocks.last.number))
  for (const { kind } of blocks.movements) metrics.credits.inc({ kind })
  return 'posted'
}

/** Null if the vault and the ledger could not be compared. Then the metric is absent. */
function showDifferences({ metrics }: WatcherContext, differences: readonly Difference[] | null): void {
  metrics.custodyDifference.reset()
  if (!differences) return
  for (const asset of assets) metrics.custodyDifference.set({ asset }, 0)
  for (const { asset, chain, books } of differences) metrics.custodyDifference.set({ asset }, Number(chain - books))
}

/** At first the error makes the watcher try the next node. It stops the watcher only once the claim has lasted. */
const stopOnlyIfItLasts = (belief: Belief, claim: string): Error =>
  belief.hear(claim) ? new CannotGoOn(claim) : new NodeContradiction(claim)

const inWords = (told: Movement | NotPaid): string =>
  'payoutId' in told
    ? `what ${told.log.tx} says of payout ${told.payoutId}`
    : `${told.amount} ${told.asset} of ${told.log.tx}`
