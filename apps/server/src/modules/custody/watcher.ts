import { assets } from '@lode/kernel'
import { sql } from 'kysely'
import type { Logger } from 'pino'
import { follow, type Turn } from '../../platform/chain/follow.ts'
import {
  type Block,
  type ChainNode,
  createNode,
  failureText,
  isNodeFailure,
  NodeContradiction,
} from '../../platform/chain/node.ts'
import type { ChainConfig, WatcherConfig } from '../../platform/config/config.ts'
import type { Database } from '../../platform/db/database.ts'
import { isDatabaseUnavailable } from '../../platform/db/failure.ts'
import { divideCredits, firstUnconfirmed, ofPayouts, singleSourceSums } from './agreement.ts'
import { createAlarms } from './alarms.ts'
import { type Difference, VaultDiffers, vaultBalances } from './balance-check.ts'
import { createBelief } from './belief.ts'
import { readFinalRun } from './final-blocks.ts'
import { foreignChain, wrongContracts } from './identity-check.ts'
import { lookAhead } from './looking.ts'
import type { CustodyMetrics } from './metrics.ts'
import { CannotGoOn, postBlocks } from './posting.ts'
import { readPrices } from './prices.ts'
import { type Movement, type NotPaid, type Reading, readLogs } from './rules.ts'
import type { Settlements } from './settlement.ts'
import {
  type BlockRef,
  beginState,
  type ChainState,
  coldAddresses,
  learnPosted,
  readState,
  stopChain,
} from './state.ts'

/**
 * Follows the chain. One turn goes through one node:
 *
 *     is it our chain? ── does it still have the posted block? ── post what is final ── look at what is not ── prices
 *            │ no                    │ no                              │ unless a second node must agree first
 *            ▼                       ▼                                 ▼
 *          stop                    stop                         hold the posted block
 *
 * What is behind is caught up first, run by run. A stop is written down and outlives the process: nothing is credited until an
 * operator has looked and says `lode chain resume`.
 */
export type Watcher = {
  /** Why money that comes in is not credited, or null where all is well. */
  trouble(): string | null
  stop(): Promise<void>
}

type Options = {
  readonly db: Database
  readonly chain: ChainConfig
  readonly watcher: WatcherConfig
  readonly settlements: Settlements
  readonly metrics: CustodyMetrics
  readonly log: Logger
}

/** The chain is shorter than what was final on it. */
class ChainTooShort extends Error {}

const PRICES_EVERY_MS = 30_000
/** How often in a row, beside for how long, the chain must say the impossible before it is believed. */
const BELIEVED_AFTER = 3

export function startWatcher({ db, chain, watcher, settlements, metrics, log }: Options): Watcher {
  const nodes = chain.rpcUrls.map(createNode)
  const pool = chain.contracts
  const alarms = createAlarms(metrics, log)
  /** Nodes of which it was seen that they are of our chain; asked again after each failure. */
  const recognised = new Set<ChainNode>()
  let pricesReadAt = Number.NEGATIVE_INFINITY
  const patience = { times: BELIEVED_AFTER, milliseconds: watcher.believedAfterMs }
  /** What the logs say: a node may only have kept some of them back. */
  const doubted = createBelief(patience)
  /** What the logs say against the books: a node may have invented some of them. */
  const unbooked = createBelief(patience)
  const tooShort = createBelief(patience)

  async function turn(node: ChainNode): Promise<Turn> {
    try {
      const next = await goOn(node)
      alarms.heard()
      return next
    } catch (error) {
      if (!(error instanceof CannotGoOn)) throw error
      await stop(error.message)
      return 'wait'
    }
  }

  async function goOn(node: ChainNode): Promise<Turn> {
    const state = await readState(db)
    const alreadyStopped = state && (state.stoppedReason ?? otherBooks(state))
    if (alreadyStopped) {
      alarms.stopped(alreadyStopped)
      return 'wait'
    }
    await recognise(node, state)
    const head = await node.head(chain.finality)
    metrics.finalizedBlock.set(Number(head.finalized.number))
    if (!state) return begin(node, head.finalized)
    if (!state.posted) return takePosted(node, state.postedNumber)
    await checkPosted(node, state.posted)
    alarms.running()

    const posting = await postNext(node, state.posted, head.finalized)
    if (posting === 'more') return 'again'
    const now = await readState(db)
    const posted = now?.posted ?? state.posted
    metrics.postedBlock.set(Number(posted.number))
    // What was set back is read again first: until then, money that is in the books would be shown as coming.
    if (posted.number < (now ?? state).booked) return 'wait'
    await settlements.payouts.conclude(db, [node, ...nodes.filter((other) => other !== node)], posted)
    await settlements.payments.conclude(db)
    const cold = await coldAddresses(db, posted)
    const seen = await lookAhead({ db, node, pool, cold, posted, latest: head.latest })
    if (seen.takenBack > 0n) {
      metrics.reorganisations.inc()
      log.warn({ blocks: Number(seen.takenBack) }, 'the chain was reorganised: what was only seen is taken back')
    }
    await countIncoming()
    await refreshPrices(node, head.latest)
    return seen.caughtUp ? 'wait' : 'again'
  }

  // ---- is it our chain? -----------------------------------------------------------------------------------------------

  /** Not written down: with the right configuration, these books are as good as before. */
  function otherBooks(state: ChainState): string | null {
    const same = state.chainId === chain.id && state.vault === pool.vault
    return same ? null : `the books are those of vault ${state.vault} on chain ${state.chainId}`
  }

  async function recognise(node: ChainNode, state: ChainState | null): Promise<void> {
    const genesisHash = recognised.has(node) ? null : (chain.genesisHash ?? state?.genesisHash ?? null)
    const foreign = await foreignChain(node, { chainId: chain.id, genesisHash })
    if (foreign) throw new CannotGoOn(foreign)
    if (recognised.has(node)) return
    const wrong = await wrongContracts(node, pool)
    if (wrong) throw new CannotGoOn(wrong)
    recognised.add(node)
  }

  async function checkPosted(node: ChainNode, posted: BlockRef): Promise<void> {
    const found = await node.block(posted.number)
    if (!found) throw new ChainTooShort(`${node.name} has no block ${posted.number}, which was final`)
    tooShort.contradict()
    if (found.hash !== posted.hash)
      throw new CannotGoOn(`block ${posted.number} was final as ${posted.hash}; ${node.name} has ${found.hash}`)
  }

  /** An operator has set the posted block back. */
  async function takePosted(node: ChainNode, number: bigint): Promise<Turn> {
    const [block] = await node.blocks([number])
    if (!block) throw new NodeContradiction('a block was asked for and not given')
    await learnPosted(db, block)
    log.warn({ block: Number(number) }, 'the posted block was set back: the chain is read again from there')
    return 'again'
  }

  /** Before the first block of the pool there is nothing to post; once the block before it is final, the books begin. */
  async function begin(node: ChainNode, finalized: Block): Promise<Turn> {
    const number = pool.firstBlock > 0n ? pool.firstBlock - 1n : 0n
    if (finalized.number < number) return 'wait'
    const [genesis, before] = await node.blocks([0n, number])
    if (!genesis || !before) throw new NodeContradiction('a block was asked for and not given')
    // Tokens can be sent to an address before there is a vault. Nothing is written down by then, so that the operator only has
    // to begin earlier: then they are in the books like any others.
    const early = await vaultBalances(node, pool, before)
    const held = assets.filter((asset) => early && early[asset] > 0n)
    if (held.length > 0)
      throw new CannotGoOn(
        `the vault held ${held.join(', ')} before block ${pool.firstBlock}: VAULT_FIRST_BLOCK must be earlier than the first Transfer to it`,
      )
    if (!early)
      log.warn(
        { node: node.name, block: Number(number) },
        'the node does not keep the state of the block before the first: whether the vault held something then is not known',
      )
    await beginState(db, { chainId: chain.id, vault: pool.vault, genesisHash: genesis.hash, before })
    log.info({ block: Number(number) }, 'the books of this chain begin')
    return 'again'
  }

  // ---- what is final --------------------------------------------------------------------------------------------------

  /** Posts the next run of final blocks. `more`: there are others, and none of them waits for a second node. */
  async function postNext(node: ChainNode, after: BlockRef, finalized: Block): Promise<'more' | 'enough'> {
    if (finalized.number <= after.number) return 'enough'
    const cold = await coldAddresses(db, after)
    const run = await readFinalRun(node, pool, cold, after.number, finalized)
    const reading = readLogs(run.logs, pool, cold)
    doubt(reading)

    const sums = await singleSourceSums(db, node.name)
    const { alone, needSecond } = divideCredits(reading.movements, watcher.agreement, sums)
    const others = nodes.filter((other) => other !== node)
    const notAlone = others.length > 0 ? [...needSecond, ...ofPayouts(reading)] : needSecond
    const unconfirmed = await firstUnconfirmed(notAlone, others, { pool, cold, finality: chain.finality })
    alarms.waiting(unconfirmed && inWords(unconfirmed))
    // What lies in the blocks before the unconfirmed log need not wait for it.
    const last = unconfirmed ? unconfirmed.log.blockNumber - 1n : run.last
    if (last === after.number) return 'enough'

    const lastBlock = run.blocks.get(last) ?? (await node.blocks([last]))[0]
    if (!lastBlock) throw new NodeContradiction('a block was asked for and not given')
    const movements = reading.movements.filter(({ log }) => log.blockNumber <= last)
    const final = {
      after,
      last: lastBlock,
      movements,
      notPaid: reading.notPaid.filter(({ log }) => log.blockNumber <= last),
      poolAddresses: reading.poolAddresses.filter(({ sinceBlock }) => sinceBlock <= last),
      timeOf: (number: bigint) => run.blocks.get(number)?.time ?? lastBlock.time,
      node: node.name,
      alone: alone.filter(({ log }) => log.blockNumber <= last),
      held: await vaultBalances(node, pool, lastBlock),
    }
    const posting = await postBlocks(db, chain.id, final, settlements).catch((error: unknown) => {
      if (error instanceof VaultDiffers) tellDifferences(error.differences)
      throw error instanceof CannotGoOn ? onlyIfItLasts(unbooked, error.message) : error
    })
    unbooked.contradict()
    if (posting === 'elsewhere') return unconfirmed ? 'enough' : 'more'
    tellDifferences(posting === 'checked' ? [] : null)
    if (posting === 'checked') metrics.checkedBlock.set(Number(last))
    for (const { kind } of movements) metrics.credits.inc({ kind })
    return unconfirmed || last === finalized.number ? 'enough' : 'more'
  }

  /** Null where nothing was compared. */
  function tellDifferences(differences: readonly Difference[] | null): void {
    metrics.custodyDifference.reset()
    if (!differences) return
    for (const asset of assets) metrics.custodyDifference.set({ asset }, 0)
    for (const { asset, chain, books } of differences) metrics.custodyDifference.set({ asset }, Number(chain - books))
  }

  /** What the logs say is impossible, so either a node kept some of them back, or it is a reason to stop. */
  function doubt({ problems: [problem] }: Reading): void {
    if (!problem) {
      doubted.contradict()
      return
    }
    const what = `${problem.what} (${problem.log.tx}, log ${problem.log.logIndex})`
    throw onlyIfItLasts(doubted, what)
  }

  const onlyIfItLasts = (belief: typeof doubted, what: string): Error =>
    belief.hear(what) ? new CannotGoOn(what) : new NodeContradiction(what)

  // ---- what else a turn does ------------------------------------------------------------------------------------------

  async function refreshPrices(node: ChainNode, latest: Block): Promise<void> {
    if (performance.now() - pricesReadAt < PRICES_EVERY_MS) return
    try {
      await readPrices(db, node, pool.priceFeeds, latest)
      pricesReadAt = performance.now()
    } catch (error) {
      if (!isNodeFailure(error)) throw error
      log.warn({ failure: failureText(error) }, 'the prices could not be read')
    }
  }

  async function countIncoming(): Promise<void> {
    const { rows } = await sql<{ count: bigint }>`select count(*) as count from lode.chain_incoming`.execute(db)
    metrics.incoming.set(Number(rows[0]?.count ?? 0))
  }

  // ---- what goes wrong ------------------------------------------------------------------------------------------------

  async function stop(reason: string): Promise<void> {
    await stopChain(db, reason)
    alarms.stopped(reason)
  }

  function onFailure(node: ChainNode, error: unknown): void {
    recognised.delete(node)
    if (!isDatabaseUnavailable(error)) metrics.nodeFailures.inc({ node: node.name })
    const failure = isNodeFailure(error) ? { failure: failureText(error) } : { err: error }
    log.warn({ node: node.name, ...failure }, 'a turn of following the chain failed')
  }

  async function onAllFailed(errors: readonly unknown[]): Promise<void> {
    alarms.failed(failureText(errors.at(-1)))
    // A chain too short is a reason to stop only if every node has it so, and for a while: one of them may be behind.
    const [short] = errors
    if (errors.length < nodes.length || !errors.every((error) => error instanceof ChainTooShort)) return
    if (!(short instanceof ChainTooShort) || !tooShort.hear('too short')) return
    // Where the database fails now, the next turn comes to the same end.
    await stop(short.message).catch((error: unknown) => log.error({ err: error }, 'a stop could not be written down'))
  }

  const following = follow({ nodes, pollMs: watcher.pollMs, turn, onFailure, onAllFailed })
  return { trouble: alarms.trouble, stop: following.stop }
}

const inWords = (told: Movement | NotPaid): string =>
  'payoutId' in told
    ? `what ${told.log.tx} says of payout ${told.payoutId}`
    : `${told.amount} ${told.asset} of ${told.log.tx}`
