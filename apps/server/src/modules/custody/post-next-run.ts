import { type Asset, assets } from '@lode/kernel'
import type { AgreedChain } from '../../platform/chain/agreed-chain.ts'
import { NodeContradiction } from '../../platform/chain/node.ts'
import { allVaultsOf } from '../../platform/config/pool-contracts.ts'
import { readAdministrativeEvents } from '../vault/index.ts'
import { type AssetContradiction, AssetMustStop, stopAsset } from './asset-stop.ts'
import { type BalanceDifference, CustodyDiffers, readCustodyBalances } from './balance-check.ts'
import { type BlockRef, loadColdAddresses } from './chain-state.ts'
import type { ClaimTracker } from './claim-tracker.ts'
import { readFinalRun } from './final-blocks.ts'
import { interpretLogs } from './interpret-logs.ts'
import { postBlocks, type RunToPost, WatcherMustStop } from './post-blocks.ts'
import type { WatcherContext } from './watcher-context.ts'

/**
 * Posts the next run of final blocks, as the nodes agree on them. If nodes disagree about a block, or a block cannot be
 * posted, the blocks before it are posted. `more`: the next run can be posted at once. `enough`: all blocks that nodes
 * of two origins have as final are posted.
 */
export async function postNextRun(
  context: WatcherContext,
  agreed: AgreedChain,
  after: BlockRef,
): Promise<'more' | 'enough'> {
  if (agreed.finalized.number <= after.number) return 'enough'
  for (let to = agreed.finalized.number; ; ) {
    const run = await readRun(context, agreed, after, to)
    const outcome = await postRun(context, run)
    if (typeof outcome === 'bigint') {
      to = outcome - 1n
      continue
    }
    if (run.last.number >= agreed.finalized.number && outcome === 'posted') return 'enough'
    // Orders that these blocks ended give money back, which the next block may need.
    if (to < agreed.finalized.number) await context.settlements.payments.conclude(context.db)
    return 'more'
  }
}

/** Reads the next run: its logs and what they mean, and what custody holds at its last block. */
async function readRun(
  { db, chain, claims }: WatcherContext,
  agreed: AgreedChain,
  after: BlockRef,
  to: bigint,
): Promise<RunToPost> {
  const cold = await loadColdAddresses(db, after)
  const run = await readFinalRun(agreed, chain.contracts, cold, after.number, to)
  const { problems, movements, notPaid, poolAddresses } = interpretLogs(run.logs, chain.contracts, cold)
  const problem = problems.find(({ loss }) => loss === null)
  if (problem)
    throw errorForClaim(claims.impossibleLogs, `${problem.text} (${problem.log.tx}, log ${problem.log.logIndex})`)
  claims.impossibleLogs.reset()
  const last = run.blocks.get(run.last)
  if (!last) throw new NodeContradiction('the node did not return a block that was requested')
  const coldAtLast = new Set([
    ...cold,
    ...poolAddresses.flatMap((each) => (each.role === 'cold' ? [each.address] : [])),
  ])
  return {
    after,
    last,
    isFirst: after.number < chain.contracts.firstBlock,
    movements,
    notPaid,
    problems,
    poolAddresses,
    administrativeEvents: allVaultsOf(chain.contracts).flatMap((vault) => readAdministrativeEvents(run.logs, vault)),
    timeOf: (number: bigint) => run.blocks.get(number)?.time ?? last.time,
    node: agreed.name,
    custody: await readCustodyBalances(agreed, chain.contracts, coldAtLast, last),
  }
}

/**
 * Returns a number if that block has a log that cannot be posted, and there are blocks before it. These are posted
 * first: for example, the end of a day that they bring may be what the block waits for.
 */
async function postRun(
  context: WatcherContext,
  blocks: RunToPost,
): Promise<'posted' | 'posted by another worker' | 'an asset was stopped' | bigint> {
  const { db, chain, settlements, metrics, claims } = context
  try {
    const result = await postBlocks(db, chain, blocks, settlements)
    claims.unpostableLogs.reset()
    claims.differences.reset()
    if (result.outcome === 'elsewhere') return 'posted by another worker'
    setDifferenceMetric(context, result.outcome === 'checked' ? result.differences : null)
    if (result.outcome === 'checked') metrics.checkedBlock.set(Number(blocks.last.number))
    if (blocks.custody)
      for (const asset of assets) metrics.inFormerVaults.set({ asset }, Number(blocks.custody.former[asset]))
    for (const { kind } of blocks.movements) metrics.movements.inc({ kind })
    reportAdministration(context, blocks)
    return 'posted'
  } catch (error) {
    if (error instanceof CustodyDiffers) {
      setDifferenceMetric(context, error.differences)
      await stopLastingDifferences(context, blocks, error)
      return 'an asset was stopped'
    }
    if (error instanceof AssetMustStop) {
      const { at } = error.contradiction
      if (at && 'tx' in at && at.blockNumber > blocks.after.number + 1n) return at.blockNumber
      if (!claims.unpostableLogs.record(error.message)) throw new NodeContradiction(error.message)
      await stopOneAsset(context, blocks, error.contradiction)
      return 'an asset was stopped'
    }
    throw error instanceof WatcherMustStop ? errorForClaim(claims.unpostableLogs, error.message) : error
  }
}

function reportAdministration({ metrics, log }: WatcherContext, { administrativeEvents }: RunToPost): void {
  for (const { name: event, log: at, arguments: values } of administrativeEvents) {
    metrics.vaultEvents.inc({ event })
    log.warn(
      { event, arguments: values, tx: at.tx, block: Number(at.blockNumber) },
      'the vault’s administration changed',
    )
  }
}

/** Stops the assets in which custody differs from the ledger. Throws the error again until the difference has lasted. */
async function stopLastingDifferences(
  context: WatcherContext,
  blocks: RunToPost,
  error: CustodyDiffers,
): Promise<void> {
  // The balances change with every deposit while nothing is posted. The difference does not.
  const claim = error.differences.map(({ place, asset, chain, ledger }) => `${place} ${asset} ${ledger - chain}`).join()
  if (!context.claims.differences.record(claim)) throw error
  for (const { place, asset, chain, ledger } of error.differences) {
    const amount = ledger - chain
    await stopOneAsset(context, blocks, {
      asset,
      reason: describeDifference(error, asset),
      loss: amount > 0n ? { asset, amount, place, arrived: 0n } : null,
      at: amount > 0n ? { block: blocks.last.number } : null,
    })
  }
}

const describeDifference = ({ message, differences }: CustodyDiffers, asset: Asset): string =>
  differences.length === 1 ? message : `${asset}: ${message}`

async function stopOneAsset(
  { db, log }: WatcherContext,
  { after }: RunToPost,
  contradiction: AssetContradiction,
): Promise<void> {
  await stopAsset(db, contradiction, after)
  log.error(
    { asset: contradiction.asset, reason: contradiction.reason },
    'ALARM: one asset stopped: it is neither credited nor paid until operators decide; the other assets go on',
  )
}

/** Pass null if custody and ledger could not be compared: then the metric is absent. */
function setDifferenceMetric({ metrics }: WatcherContext, differences: readonly BalanceDifference[] | null): void {
  metrics.custodyDifference.reset()
  if (!differences) return
  for (const place of ['vault', 'cold'] as const)
    for (const asset of assets) metrics.custodyDifference.set({ place, asset }, 0)
  for (const { place, asset, chain, ledger } of differences)
    metrics.custodyDifference.set({ place, asset }, Number(chain - ledger))
}

/** The error for a claim: the next node is tried (NodeContradiction) until the claim has lasted (WatcherMustStop). */
const errorForClaim = (tracker: ClaimTracker, claim: string): Error =>
  tracker.record(claim) ? new WatcherMustStop(claim) : new NodeContradiction(claim)
