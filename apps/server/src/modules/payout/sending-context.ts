import { setTimeout as sleep } from 'node:timers/promises'
import type { ChainNode } from '../../platform/chain/node.ts'
import type { Signing } from './form.ts'
import type { createWaitingTimes } from './waiting-times.ts'

/** What the steps of sending share. */
export type SendingContext = {
  readonly signing: Signing
  readonly nodes: readonly ChainNode[]
  readonly waitingTimes: ReturnType<typeof createWaitingTimes>
  /** The last failure of each node, so that the same one is logged once. */
  readonly lastFailures: Map<ChainNode, string>
}

/** How long a turn waits for the nodes other than its own, so that a node that hangs does not delay the others. */
const OTHERS_WAIT_MS = 2_000
export const NO_ANSWER = 'no answer within two seconds'

export const otherNodes = ({ nodes }: SendingContext, node: ChainNode): ChainNode[] =>
  nodes.filter((other) => other !== node)

/** The answer of a node other than the turn's own, or `late` if it takes too long. */
export const inTime = <Answer, Late>(answer: Promise<Answer>, late: Late): Promise<Answer | Late> =>
  Promise.race([answer, sleep(OTHERS_WAIT_MS, late, { ref: false })])
