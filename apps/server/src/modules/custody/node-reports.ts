import type { Logger } from 'pino'
import type { CustodyMetrics } from './metrics.ts'

/** Remembers what the nodes said in earlier turns, and reports those that cannot be right. */
export function createNodeReports(metrics: Pick<CustodyMetrics, 'nodeFailures' | 'finalizedBlock'>, log: Logger) {
  let agreedBlock = -1n
  let agreedSince = 0
  let refusedNodes: ReadonlySet<string> = new Set()
  let finalBlock: bigint | null = null
  const failureByNode = new Map<string, string | null>()

  return {
    /** The last final block that the nodes report. */
    finalized(block: bigint): void {
      finalBlock = block
      metrics.finalizedBlock.set(Number(block))
    },

    /** Whether the last turn through this node failed, and why. */
    nodeAsked(name: string, failure: string | null): void {
      failureByNode.set(name, failure)
    },

    /** For the database, where the other processes and the command line read it. */
    report: () => ({ finalBlock, nodes: Array.from(failureByNode, ([name, failure]) => ({ name, failure })) }),

    /** Returns for how long nodes of two origins have agreed on no later block than this one, in milliseconds. */
    agreedOn(block: bigint): number {
      if (block !== agreedBlock) agreedSince = performance.now()
      agreedBlock = block
      return performance.now() - agreedSince
    },

    /** The nodes that are not asked in this turn, because what they report cannot be true. Each is reported once. */
    refused(nodes: readonly { readonly name: string; readonly reason: string }[]): void {
      for (const { name, reason } of nodes) {
        metrics.nodeFailures.inc({ node: name })
        if (!refusedNodes.has(name))
          log.error({ node: name, reason }, 'ALARM: this node is not asked, because it lies or is broken: replace it')
      }
      refusedNodes = new Set(nodes.map(({ name }) => name))
    },
  }
}
