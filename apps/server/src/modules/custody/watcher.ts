import { type ChainNode, createNode, failureText, isLackOfAgreement, isNodeFailure } from '../../platform/chain/node.ts'
import { createClients, type NodeList } from '../../platform/chain/node-list.ts'
import { pollNodes } from '../../platform/chain/poll-nodes.ts'
import { isDatabaseUnavailable } from '../../platform/db/database-unavailable.ts'
import { createAlarms } from './alarms.ts'
import { stopChain } from './chain-state.ts'
import { createClaimTracker } from './claim-tracker.ts'
import { VaultMoved } from './final-blocks.ts'
import { ChainTooShort } from './node-check.ts'
import { WatcherMustStop } from './post-blocks.ts'
import type { WatcherContext } from './watcher-context.ts'
import { createTurn } from './watcher-turn.ts'
import type { WorkerState } from './worker-state.ts'

/**
 * Follows the chain. One turn goes through one node:
 *
 *     is it our chain? ── is the posted block there? ── post final blocks ── read newer blocks ── refresh prices
 *            │ no                    │ no                     │ no second node answers, or nodes disagree
 *            ▼                       ▼                        ▼
 *          stop                    stop                keep the posted block
 *       node-check.ts          node-check.ts            agreed-chain.ts
 *
 * The turn itself is in `watcher-turn.ts`. If the worker is behind, it first posts all final blocks, run by run. Before
 * it reads newer blocks, it ends the releases and orders that can no longer be paid.
 *
 * A missing posted block, logs that cannot be posted, or another balance than the ledger's may be the mistake of a node.
 * They count only if they last (`claim-tracker.ts`). Then a log or a balance stops its asset: the logs of this asset are
 * held, and the others are posted (`asset-stop.ts`). Everything else stops the watcher. Both stops are stored, so a
 * restart does not end them. Two operators do, with `lode correct write-off` or `lode chain resume`.
 */
export type Watcher = {
  /**
   * The reason why incoming money is not credited; null if there is none. Failed turns, and nodes that
   * disagree or do not answer, count as a reason only after a minute.
   */
  trouble(): string | null
  /** The last final block, and the nodes with their last failures. */
  report(): Pick<WorkerState, 'finalBlock' | 'nodes'>
  stop(): Promise<void>
}

type WatcherOptions = Pick<WatcherContext, 'db' | 'chain' | 'watcher' | 'settlements' | 'metrics' | 'log'> & {
  readonly nodes: NodeList
}

/** The watcher stops because of a claim once it was recorded this many times in a row, over at least `stopAfterMs`. */
const MIN_CLAIM_RECORDS = 3

export function startWatcher(options: WatcherOptions): Watcher {
  const { watcher, metrics, log } = options
  const claimLimits = { times: MIN_CLAIM_RECORDS, milliseconds: watcher.stopAfterMs }
  const alarms = createAlarms(metrics, log)
  const context: WatcherContext = {
    ...options,
    nodes: createClients(options.nodes, createNode),
    alarms,
    recognized: new Set(),
    claims: {
      impossibleLogs: createClaimTracker(claimLimits),
      unpostableLogs: createClaimTracker(claimLimits),
      differences: createClaimTracker(claimLimits),
      chainTooShort: createClaimTracker(claimLimits),
    },
  }
  const makeTurn = createTurn(context)
  const polling = pollNodes({
    nodes: context.nodes,
    pollMs: watcher.pollMs,
    turn: async (node) => {
      try {
        const next = await makeTurn(node)
        alarms.turnCompleted()
        alarms.nodeAsked(node.name, null)
        return next
      } catch (error) {
        if (isLackOfAgreement(error)) alarms.waiting(error.message)
        if (error instanceof VaultMoved) {
          // Not stored: the operators' decision and the new configuration end it.
          alarms.stopped(error.message)
          return 'wait'
        }
        if (!(error instanceof WatcherMustStop)) throw error
        await stopCrediting(context, error.message)
        return 'wait'
      }
    },
    onFailure: (node, error) => recordFailure(context, node, error),
    onAllFailed: (errors) => stopIfChainTooShort(context, errors),
  })
  return { trouble: alarms.trouble, report: alarms.report, stop: polling.stop }
}

async function stopCrediting({ db, alarms }: WatcherContext, reason: string): Promise<void> {
  await stopChain(db, reason)
  alarms.stopped(reason)
}

function recordFailure({ recognized, metrics, alarms, log }: WatcherContext, node: ChainNode, error: unknown): void {
  recognized.delete(node)
  if (isNodeFailure(error)) alarms.nodeAsked(node.name, failureText(error))
  if (!isDatabaseUnavailable(error)) metrics.nodeFailures.inc({ node: node.name })
  const failure = isNodeFailure(error) ? { failure: failureText(error) } : { err: error }
  log.warn({ node: node.name, ...failure }, 'a turn of the watcher failed')
}

/** Called when no node's turn succeeded. Stops the watcher if the chain stays too short on all of them. */
async function stopIfChainTooShort(context: WatcherContext, errors: readonly unknown[]): Promise<void> {
  const { nodes, alarms, claims, log } = context
  alarms.failed(failureText(errors.at(-1)))
  // If only some nodes are too short, they may lag. Errors are missing if polling was stopped before all were tried.
  const [short] = errors
  if (errors.length < nodes().length || !errors.every((error) => error instanceof ChainTooShort)) return
  if (!(short instanceof ChainTooShort) || !claims.chainTooShort.record('too short')) return
  // If the database fails now, the next turn finds the same error and stores the stop.
  await stopCrediting(context, short.message).catch((error: unknown) =>
    log.error({ err: error }, 'the stop could not be stored'),
  )
}
