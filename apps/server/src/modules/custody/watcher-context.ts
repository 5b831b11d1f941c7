import type { Logger } from 'pino'
import type { ChainNode } from '../../platform/chain/node.ts'
import type { ChainConfig, WatcherConfig } from '../../platform/config/config.ts'
import type { Database } from '../../platform/db/database.ts'
import type { createAlarms } from './alarms.ts'
import type { Belief } from './belief.ts'
import type { CustodyMetrics } from './metrics.ts'
import type { Settlements } from './settlement.ts'

/** Everything that the steps of a watcher's turn share. */
export type WatcherContext = {
  readonly db: Database
  readonly chain: ChainConfig
  readonly watcher: WatcherConfig
  readonly settlements: Settlements
  readonly metrics: CustodyMetrics
  readonly log: Logger
  readonly nodes: readonly ChainNode[]
  readonly alarms: ReturnType<typeof createAlarms>
  /** Nodes that were seen to be on our chain. A node that fails is removed, so that it is checked again. */
  readonly recognized: Set<ChainNode>
  /** Observations that stop the watcher only if they last, because a node may be wrong for a while. */
  readonly beliefs: {
    /** The logs contradict each other: the node may have left some out. */
    readonly impossibleLogs: Belief
    /** The ledger cannot post a log, or contradicts it: the node may have invented the log. */
    readonly unbookableLogs: Belief
    /** Every node has fewer blocks than were final. */
    readonly chainTooShort: Belief
  }
}

export const otherNodes = ({ nodes }: WatcherContext, node: ChainNode): ChainNode[] =>
  nodes.filter((other) => other !== node)
