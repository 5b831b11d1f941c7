import { setTimeout as sleep } from 'node:timers/promises'
import type { ChainNode } from '../../platform/chain/node.ts'
import type { SignerDependencies } from './sign-version.ts'
import type { SignerJournal } from './signer-journal.ts'
import type { createWaitingTimes } from './waiting-times.ts'

/** Shared by all functions that send a signed release to the nodes. */
export type SendingContext = {
  readonly signer: SignerDependencies
  /** The nodes in use now. They can be replaced between two turns. */
  readonly nodes: () => readonly ChainNode[]
  readonly journal: SignerJournal
  readonly waitingTimes: ReturnType<typeof createWaitingTimes>
  /** The last failure of each node, so that the same failure is logged only once. */
  readonly lastFailures: Map<ChainNode, string>
}

/**
 * A turn works through one node. It waits this long for each of the other nodes, so that a node that hangs does not
 * delay the turn.
 */
const OTHER_NODES_TIMEOUT_MS = 2_000
export const NO_ANSWER = 'no answer within two seconds'

/** Returns the answer of another node, or `ifLate` if the node does not answer within two seconds. */
export const withOtherNodeTimeout = <Answer, Late>(answer: Promise<Answer>, ifLate: Late): Promise<Answer | Late> =>
  Promise.race([answer, sleep(OTHER_NODES_TIMEOUT_MS, ifLate, { ref: false })])
