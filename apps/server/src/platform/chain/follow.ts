import { setTimeout as sleep } from 'node:timers/promises'

/** `again`: there is more to do at once. `wait`: nothing to do, for example until the next block. */
export type Turn = 'again' | 'wait'

type Options<Node> = {
  readonly nodes: readonly Node[]
  readonly pollMs: number
  /** One pass through one node, so that all its answers come from one view of the chain. */
  readonly turn: (node: Node) => Promise<Turn>
  readonly onFailure: (node: Node, error: unknown) => void
  /** Called when every node was tried and failed, with the error of each. */
  readonly onAllFailed: (errors: readonly unknown[]) => Promise<void>
}

export type Following = {
  /** Resolves when the running turn has ended. */
  stop(): Promise<void>
}

const FIRST_PAUSE_MS = 250
const LONGEST_PAUSE_MS = 10_000

/**
 * Makes turns until it is stopped. It stays with one node as long as that node answers, and goes to the next when it
 * fails. After all nodes failed, it waits longer each time, by a random part, so that many workers do not return to a
 * node at the same moment.
 */
export function follow<Node>({ nodes, pollMs, turn, onFailure, onAllFailed }: Options<Node>): Following {
  const ending = new AbortController()
  const pause = (milliseconds: number) => sleep(milliseconds, undefined, { signal: ending.signal }).catch(() => {})
  let first = 0

  async function tryNodes(): Promise<Turn | 'failed'> {
    const errors: unknown[] = []
    for (let attempt = 0; attempt < nodes.length && !ending.signal.aborted; attempt += 1) {
      const place = (first + attempt) % nodes.length
      const node = nodes[place] as Node
      try {
        const next = await turn(node)
        first = place
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
    while (!ending.signal.aborted) {
      const result = await tryNodes()
      failed = result === 'failed' ? failed + 1 : 0
      if (result === 'wait') await pause(pollMs)
      if (result === 'failed') await pause(backOff(failed, Math.random()))
    }
  })()

  return {
    stop: () => {
      ending.abort()
      return running
    },
  }
}

/** Between half and all of this pause: 250 ms, doubled each time, at most 10 s. */
export const backOff = (failures: number, random: number): number =>
  Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** Math.min(failures - 1, 20)) * (0.5 + random / 2)
