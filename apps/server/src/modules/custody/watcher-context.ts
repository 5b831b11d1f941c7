import type { Logger } from 'pino'
import type { ChainNode } from '../../platform/chain/node.ts'
import type { ChainConfig, WatcherConfig } from '../../platform/config/config.ts'
import type { Database } from '../../platform/db/database.ts'
import type { createAlarms } from './alarms.ts'
import type { ClaimTracker } from './claim-tracker.ts'
import type { CustodyMetrics } from './metrics.ts'
import type { Settlements } from './settlements.ts'

/** Passed to every step of a turn. */
export type WatcherContext = {
  readonly db: Database
  readonly chain: ChainConfig
  readonly watcher: WatcherConfig
  readonly settlements: Settlements
  readonly metrics: CustodyMetrics
  readonly log: Logger
  /** The nodes in use now. They can be replaced between two turns. */
  readonly nodes: () => readonly ChainNode[]
  readonly alarms: ReturnType<typeof createAlarms>
  /** Nodes whose chain and contracts were checked. A node that fails is removed, so that it is checked again. */
  readonly recognized: Set<ChainNode>
  /** Errors that stop the watcher only if they last, because a node may be wrong for a while. */
  readonly claims: {
    /** The logs of one run contradict each other. The node may have left some out. */
    readonly impossibleLogs: ClaimTracker
    /** A log cannot be posted, or contradicts the ledger. The node may have invented it. */
    readonly unpostableLogs: ClaimTracker
    /** Custody differs from the ledger. The node may have left out a log. */
    readonly differences: ClaimTracker
    /** No node has the posted block, which was final. */
    readonly chainTooShort: ClaimTracker
  }
}
