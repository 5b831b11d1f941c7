import { setTimeout as sleep } from 'node:timers/promises'

/** `again`: there is more to do at once. `wait`: nothing to do, for example until the next block. */
export type TurnResult = 'again' | 'wait'

type Options<Node> = {
  /** Called for each round of turns, because nodes can be replaced. */
  readonly nodes: () => readonly Node[]
  readonly pollMs: number
  /** One pass through one node, so that all its answers come from one view of the chain. */
  readonly turn: (node: Node) => Promise<TurnResult>
  readonly onFailure: (node: Node, error: unknown) => void
  /** Called when no node's turn succeeded, with the error of each node that was tried: of all, unless polling stops. */
  readonly onAllFailed: (errors: readonly unknown[]) => Promise<void>
}

export type NodePolling = {
  /** Resolves when the running turn has ended. */
  stop(): Promise<void>
}

const FIRST_PAUSE_MS = 250
const LONGEST_PAUSE_MS = 10_000

/**
 * Makes turns until it is stopped. It uses one node as long as its turns succeed, and goes to the next node after a
 * failure. After all nodes failed it pauses, longer each time. Part of the pause is random, so that many workers do not
 * return to a node at the same moment.
 */
export function pollNodes<Node>({ nodes, pollMs, turn, onFailure, onAllFailed }: Options<Node>): NodePolling {
  const stopping = new AbortController()
  const pause = (milliseconds: number) => sleep(milliseconds, undefined, { signal: stopping.signal }).catch(() => {})
  let current: Node | undefined

  async function tryNodes(): Promise<TurnResult | 'failed'> {
    const errors: unknown[] = []
    for (const node of startingWith(nodes(), current)) {
      if (stopping.signal.aborted) break
      try {
        const next = await turn(node)
        current = node
        return next
      } catch (error) {
        onFailure(node, error)
        errors.push(error)
      }
    }
    await onAllFailed(errors)
    return 'failed'
  }

  const running = (async () => {
    let failed = 0
    while (!stopping.signal.aborted) {
      const result = await tryNodes()
      failed = result === 'failed' ? failed + 1 : 0
      if (result === 'wait') await pause(pollMs)
      if (result === 'failed') await pause(backOff(failed, Math.random()))
    }
  })()

  return {
    stop: () => {
      stopping.abort()
      return running
    },
  }
}

/** All nodes in their order, beginning with this one; with the first if this one is no longer there. */
function startingWith<Node>(nodes: readonly Node[], first: Node | undefined): Node[] {
  const index = Math.max(0, first === undefined ? 0 : nodes.indexOf(first))
  return [...nodes.slice(index), ...nodes.slice(0, index)]
}

/** The pause is 250 ms, doubled after each failure, at most 10 s. Returns a random value between half and all of it. */
export const backOff = (failures: number, random: number): number =>
  Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** Math.min(failures - 1, 20)) * (0.5 + random / 2)
