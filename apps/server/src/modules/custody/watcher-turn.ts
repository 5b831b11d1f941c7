import { sql } from 'kysely'
import type { Turn } from '../../platform/chain/follow.ts'
import { type Block, type ChainNode, failureText, isNodeFailure } from '../../platform/chain/node.ts'
import { beginBooks, readRewoundBlock } from './begin-books.ts'
import { lookAhead } from './looking.ts'
import { checkPostedBlock, recognizeNode, wrongBooks } from './node-check.ts'
import { postNextRun } from './post-next-run.ts'
import { readPrices } from './prices.ts'
import { type BlockRef, coldAddresses, readState } from './state.ts'
import { otherNodes, type WatcherContext } from './watcher-context.ts'

const PRICES_EVERY_MS = 30_000

/** Returns the function that makes one turn through one node. */
export function createTurn(context: WatcherContext): (node: ChainNode) => Promise<Turn> {
  const { db, chain, metrics, alarms } = context
  const refreshPrices = createPriceRefresh(context)

  return async (node) => {
    const state = await readState(db)
    const stoppedBecause = state && (state.stoppedReason ?? wrongBooks(context, state))
    if (stoppedBecause) {
      alarms.stopped(stoppedBecause)
      return 'wait'
    }
    await recognizeNode(context, node, state)
    const head = await node.head(chain.finality)
    metrics.finalizedBlock.set(Number(head.finalized.number))
    if (!state) return beginBooks(context, node, head.finalized)
    if (!state.posted) return readRewoundBlock(context, node, state.postedNumber)
    await checkPostedBlock(context, node, state.posted)
    alarms.running()

    const posting = await postNextRun(context, node, state.posted, head.finalized)
    if (posting === 'more') return 'again'
    const now = await readState(db)
    const posted = now?.posted ?? state.posted
    metrics.postedBlock.set(Number(posted.number))
    // After a rewind, blocks that are already posted are read again first. Until then, reading newer blocks would show
    // posted money as incoming.
    if (posted.number < (now ?? state).booked) return 'wait'
    await concludeSettlements(context, node, posted)
    const caughtUp = await lookAtUnconfirmed(context, node, posted, head.latest)
    await refreshPrices(node, head.latest)
    return caughtUp ? 'wait' : 'again'
  }
}

async function concludeSettlements(context: WatcherContext, node: ChainNode, posted: BlockRef): Promise<void> {
  const { db, settlements } = context
  await settlements.payouts.conclude(db, [node, ...otherNodes(context, node)], posted)
  await settlements.payments.conclude(db)
}

/** Reads the blocks that are not final yet. Returns whether it reached the latest one. */
async function lookAtUnconfirmed(
  { db, chain, metrics, log }: WatcherContext,
  node: ChainNode,
  posted: BlockRef,
  latest: Block,
): Promise<boolean> {
  const cold = await coldAddresses(db, posted)
  const seen = await lookAhead({ db, node, pool: chain.contracts, cold, posted, latest })
  if (seen.takenBack > 0n) {
    metrics.reorganisations.inc()
    log.warn({ blocks: Number(seen.takenBack) }, 'the chain was reorganised: what was only seen is taken back')
  }
  const { rows } = await sql<{ count: bigint }>`select count(*) as count from lode.chain_incoming`.execute(db)
  metrics.incoming.set(Number(rows[0]?.count ?? 0))
  return seen.caughtUp
}

/** A failure to read the prices does not fail the turn. */
function createPriceRefresh({ db, chain, log }: WatcherContext): (node: ChainNode, latest: Block) => Promise<void> {
  let readAt = Number.NEGATIVE_INFINITY
  return async (node, latest) => {
    if (performance.now() - readAt < PRICES_EVERY_MS) return
    try {
      await readPrices(db, node, chain.contracts.priceFeeds, latest)
      readAt = performance.now()
    } catch (error) {
      if (!isNodeFailure(error)) throw error
      log.warn({ failure: failureText(error) }, 'the prices could not be read')
    }
  }
}
