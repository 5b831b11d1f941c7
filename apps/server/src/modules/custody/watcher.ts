import { follow } from '../../platform/chain/follow.ts'
import { type ChainNode, createNode, failureText, isNodeFailure } from '../../platform/chain/node.ts'
import { isDatabaseUnavailable } from '../../platform/db/failure.ts'
import { createAlarms } from './alarms.ts'
import { createBelief } from './belief.ts'
import { ChainTooShort } from './node-check.ts'
import { CannotGoOn } from './posting.ts'
import { stopChain } from './state.ts'
import type { WatcherContext } from './watcher-context.ts'
import { createTurn } from './watcher-turn.ts'

/**
 * Follows the chain. One turn goes through one node:
 *
 *     is it our chain? ── is the posted block there? ── post final blocks ── look at newer blocks ── refresh prices
 *            │ no                    │ no                     │ unless a second node must agree first
 *            ▼                       ▼                        ▼
 *          stop                    stop                keep the posted block
 *       node-check.ts          node-check.ts           post-next-run.ts
 *
 * The turn itself is in `watcher-turn.ts`. Final blocks that are behind are caught up first, run by run. A stop is
 * stored and outlives the process: nothing is credited until an operator has found the cause and runs `lode chain
 * resume`.
 */
export type Watcher = {
  /** Why money that comes in is not credited, or null if all is well. */
  trouble(): string | null
  stop(): Promise<void>
}

type Options = Pick<WatcherContext, 'db' | 'chain' | 'watcher' | 'settlements' | 'metrics' | 'log'>

/**
 * A claim must be heard this many times in a row, and for `believedAfterMs`, before the watcher stops because of it.
 */
const BELIEVED_AFTER = 3

export function startWatcher(options: Options): Watcher {
  const { chain, watcher, metrics, log } = options
  const patience = { times: BELIEVED_AFTER, milliseconds: watcher.believedAfterMs }
  const alarms = createAlarms(metrics, log)
  const context: WatcherContext = {
    ...options,
    nodes: chain.rpcUrls.map(createNode),
    alarms,
    recognized: new Set(),
    beliefs: {
      impossibleLogs: createBelief(patience),
      unbookableLogs: createBelief(patience),
      chainTooShort: createBelief(patience),
    },
  }
  const makeTurn = createTurn(context)
  const following = follow({
    nodes: context.nodes,
    pollMs: watcher.pollMs,
    turn: async (node) => {
      try {
        const next = await makeTurn(node)
        alarms.heard()
        return next
      } catch (error) {
        if (!(error instanceof CannotGoOn)) throw error
        await stopCrediting(context, error.message)
        return 'wait'
      }
    },
    onFailure: (node, error) => noteFailure(context, node, error),
    onAllFailed: (errors) => judgeFailures(context, errors),
  })
  return { trouble: alarms.trouble, stop: following.stop }
}

async function stopCrediting({ db, alarms }: WatcherContext, reason: string): Promise<void> {
  await stopChain(db, reason)
  alarms.stopped(reason)
}

function noteFailure({ recognized, metrics, log }: WatcherContext, node: ChainNode, error: unknown): void {
  recognized.delete(node)
  if (!isDatabaseUnavailable(error)) metrics.nodeFailures.inc({ node: node.name })
  const failure = isNodeFailure(error) ? { failure: failureText(error) } : { err: error }
  log.warn({ node: node.name, ...failure }, 'a turn of following the chain failed')
}

/**
 * Called when every node was tried and failed. Stops if the chain is too short on all of them, and stays so for a
 * while.
 */
async function judgeFailures(context: WatcherContext, errors: readonly unknown[]): Promise<void> {
  const { nodes, alarms, beliefs, log } = context
  alarms.failed(failureText(errors.at(-1)))
  // A single node that is too short may only be behind.
  const [short] = errors
  if (errors.length < nodes.length || !errors.every((error) => error instanceof ChainTooShort)) return
  if (!(short instanceof ChainTooShort) || !beliefs.chainTooShort.hear('too short')) return
  // If the database fails now, the next turn comes to the same conclusion and tries again to store the stop.
  await stopCrediting(context, short.message).catch((error: unknown) =>
    log.error({ err: error }, 'a stop could not be written down'),
  )
}
