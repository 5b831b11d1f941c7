import { sql } from 'kysely'
import { type AgreedChain, agreeOnChain } from '../../platform/chain/agreed-chain.ts'
import {
  type Block,
  type ChainNode,
  failureText,
  isNodeFailure,
  NoSecondNode,
  otherNodes,
} from '../../platform/chain/node.ts'
import type { TurnResult } from '../../platform/chain/poll-nodes.ts'
import { reportOpenAnnouncements } from '../vault/index.ts'
import { readAssetStops } from './asset-stop.ts'
import { beginLedger, readRewoundBlock } from './begin-ledger.ts'
import { type BlockRef, describeWrongLedger, loadColdAddresses, readChainState } from './chain-state.ts'
import { describeLag } from './describe-lag.ts'
import { checkPostedBlock, recognizeNode } from './node-check.ts'
import { postNextRun } from './post-next-run.ts'
import { storeFeedPrices } from './prices.ts'
import { readUnfinalizedBlocks } from './unfinalized-blocks.ts'
import type { WatcherContext } from './watcher-context.ts'

const PRICE_REFRESH_MS = 30_000

/** Returns the function that makes one turn through one node. */
export function createTurn(context: WatcherContext): (node: ChainNode) => Promise<TurnResult> {
  const { db, chain, metrics, alarms } = context
  const refreshPrices = createPriceRefresher(context)

  return async (node) => {
    const state = await readChainState(db)
    alarms.announced(await reportOpenAnnouncements(db, chain.contracts))
    const stoppedBecause = state && (state.stoppedReason ?? describeWrongLedger(chain, state))
    if (stoppedBecause) {
      alarms.stopped(stoppedBecause)
      return 'wait'
    }
    await recognizeNode(context, node, state)
    const head = await node.head(chain.finality)
    if (state?.posted) await checkPostedBlock(context, node, state.posted)
    const agreed = await agree(context, node, head.finalized)
    alarms.finalized((agreed?.furthest ?? head.finalized).number)
    if (!state) return agreed ? beginLedger(context, agreed) : 'wait'
    if (!state.posted) return agreed ? readRewoundBlock(context, agreed, state.postedNumber) : 'wait'
    const posting = agreed && (await postAgreed(context, agreed, state.posted, state.postedTime))
    alarms.running()
    alarms.assetsStopped(await readAssetStops(db))
    if (posting === 'more') return 'again'
    const stateAfterPosting = await readChainState(db)
    const posted = stateAfterPosting?.posted ?? state.posted
    metrics.postedBlock.set(Number(posted.number))
    // After a rewind, the turns first read the posted blocks again. Before that is done, newer blocks must not be read:
    // they would show money as incoming that is already in the ledger.
    if (posted.number < (stateAfterPosting ?? state).highestPosted) return 'wait'
    await concludeSettlements(context, node, posted)
    const caughtUp = await updateUnfinalizedBlocks(context, node, posted, head.latest)
    await refreshPrices(node, head.latest)
    return caughtUp ? 'wait' : 'again'
  }
}

/** Returns null if no second node answers. Then nothing is posted, and newer blocks are still shown as not final. */
async function agree(context: WatcherContext, node: ChainNode, own: Block): Promise<AgreedChain | null> {
  const others = otherNodes(context, node)
  try {
    const agreed = await agreeOnChain(node, others, { own, finality: context.chain.finality })
    context.alarms.refused(agreed.refused)
    return agreed
  } catch (error) {
    // With more than two nodes, a turn through another one may find a second node.
    if (!(error instanceof NoSecondNode) || others.length > 1) throw error
    context.alarms.waiting(error.message)
    return null
  }
}

async function postAgreed(
  context: WatcherContext,
  agreed: AgreedChain,
  after: BlockRef,
  postedTime: Date,
): Promise<'more' | 'enough'> {
  context.alarms.behind(agreed.finalized.time.getTime() - postedTime.getTime())
  const posting = await postNextRun(context, agreed, after)
  if (posting === 'enough') context.alarms.behind(0)
  if (agreed.finalized.number > after.number) context.alarms.waiting(null)
  context.alarms.waiting(describeLag(agreed, context.alarms.agreedOn(agreed.finalized.number)))
  return posting
}

async function concludeSettlements(context: WatcherContext, node: ChainNode, posted: BlockRef): Promise<void> {
  const { db, settlements } = context
  const others = otherNodes(context, node).filter(({ name }) => name !== node.name)
  await settlements.payouts.conclude(db, [node, ...others], posted)
  await settlements.payments.conclude(db)
}

/** Reads the blocks that are not final yet. Returns whether it reached the latest one. */
async function updateUnfinalizedBlocks(
  { db, chain, metrics, log }: WatcherContext,
  node: ChainNode,
  posted: BlockRef,
  latest: Block,
): Promise<boolean> {
  const cold = await loadColdAddresses(db, posted)
  const result = await readUnfinalizedBlocks({ db, node, pool: chain.contracts, cold, posted, latest })
  if (result.replacedBlocks > 0n) {
    metrics.reorganisations.inc()
    log.warn(
      { blocks: Number(result.replacedBlocks) },
      'the chain was reorganized: incoming deposits of the replaced blocks are removed',
    )
  }
  const { rows } = await sql<{ count: bigint }>`select count(*) as count from lode.chain_incoming`.execute(db)
  metrics.incoming.set(Number(rows[0]?.count ?? 0))
  return result.caughtUp
}

/**
 * Returns a function that reads the prices every 30 seconds at most. If the node fails, it logs that and returns; the
 * next turn then tries again at once.
 */
function createPriceRefresher({ db, chain, log }: WatcherContext): (node: ChainNode, latest: Block) => Promise<void> {
  let readAt = Number.NEGATIVE_INFINITY
  return async (node, latest) => {
    if (performance.now() - readAt < PRICE_REFRESH_MS) return
    try {
      await storeFeedPrices(db, node, chain.contracts.priceFeeds, latest)
      readAt = performance.now()
    } catch (error) {
      if (!isNodeFailure(error)) throw error
      log.warn({ failure: failureText(error) }, 'the prices could not be read')
    }
  }
}
