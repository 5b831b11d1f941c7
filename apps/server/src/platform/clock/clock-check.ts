import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { Gauge, type Registry } from 'prom-client'
import { type ChainNode, createNode } from '../chain/node.ts'
import { createClients, type NodeList } from '../chain/node-list.ts'
import type { Database } from '../db/database.ts'
import { readClock } from './clock.ts'
import {
  type ChainTime,
  describeDifference,
  measureDifference,
  observeBlock,
  timeReachedBy,
} from './clock-difference.ts'

/**
 * Compares the database's clock with the time of the chain's newest block. A database clock that jumps would end holds
 * and return pledges early. Work that depends on the time asks `findProblem` first, and waits while it returns a reason.
 */
export type ClockCheck = {
  /** Reads the database's clock now. Returns why work that depends on the time must wait, or null. */
  findProblem(db: Database): Promise<string | null>
  /** The reason of the last comparison, for readiness. */
  trouble(): string | null
  stop(): Promise<void>
}

type Options = {
  readonly db: Database
  readonly nodes: NodeList
  /** Null: the clocks are not compared. Outside production tests shift the database's clock on purpose. */
  readonly maxDifferenceMs: number | null
  readonly pollMs: number
  readonly metrics: ClockMetrics
  readonly log: Logger
}

type ClockMetrics = ReturnType<typeof createClockMetrics>

export function createClockMetrics(registry: Registry) {
  const registers = [registry]
  return {
    difference: new Gauge({
      name: 'lode_clock_difference_seconds',
      help: "How far the database's clock is ahead of the chain's time; negative if it is behind",
      registers,
    }),
    wrong: new Gauge({
      name: 'lode_clock_wrong',
      help: '1 while work that depends on the time waits, because the clocks of database and chain differ too much',
      registers,
    }),
  }
}

const NOT_COMPARED = "the database's clock was not compared with the chain yet: too few nodes have answered"
const NODE_TIMEOUT_MS = 3_000
/** So many polls pass between two looks at the chain. The database's clock itself is read whenever work asks. */
const POLLS_PER_LOOK = 5

const UNCHECKED: ClockCheck = { findProblem: async () => null, trouble: () => null, stop: async () => {} }

export function startClockCheck({ db, nodes, maxDifferenceMs, pollMs, metrics, log }: Options): ClockCheck {
  if (maxDifferenceMs === null) return UNCHECKED
  const allowedMs = maxDifferenceMs
  const clients = createClients(nodes, createNode)
  const stopping = new AbortController()
  let chain: ChainTime | null = null
  let trouble: string | null = NOT_COMPARED

  async function findProblem(on: Database): Promise<string | null> {
    if (chain === null) return NOT_COMPARED
    const database = await readClock(on)
    const differenceMs = measureDifference(chain, database, performance.now())
    metrics.difference.set(Math.round(differenceMs / 1_000))
    const isWrong = Math.abs(differenceMs) > allowedMs
    metrics.wrong.set(isWrong ? 1 : 0)
    return isWrong ? describeDifference(chain, database, differenceMs) : null
  }

  /** Reports only the first problem in a row: the text has the present times, so it changes with every comparison. */
  function report(problem: string | null): void {
    const wasWrong = trouble !== null && trouble !== NOT_COMPARED
    const isWrong = problem !== null && problem !== NOT_COMPARED
    if (isWrong && !wasWrong)
      log.error({ reason: problem }, 'ALARM: nothing that depends on the time is done until the clocks agree')
    if (wasWrong && problem === null) log.warn('the clocks of database and chain agree again')
    trouble = problem
  }

  const running = (async () => {
    while (!stopping.signal.aborted) {
      const reached = await readReachedTime(clients())
      if (reached) chain = observeBlock(chain, reached, performance.now())
      try {
        report(await findProblem(db))
      } catch {
        // The database does not answer, which readiness reports itself.
      }
      await sleep(POLLS_PER_LOOK * pollMs, undefined, { signal: stopping.signal }).catch(() => {})
    }
  })()

  return {
    findProblem,
    trouble: () => trouble,
    stop: () => {
      stopping.abort()
      return running
    },
  }
}

/** The latest time that nodes of two origins have reached; of one, if all nodes have one origin. */
async function readReachedTime(nodes: readonly ChainNode[]): Promise<Date | null> {
  const needed = Math.min(2, new Set(nodes.map(({ name }) => name)).size)
  const blocks = await Promise.all(
    nodes.map(async (node) => {
      const late = sleep(NODE_TIMEOUT_MS, null, { ref: false })
      const block = await Promise.race([node.block('latest').catch(() => null), late])
      return block && { origin: node.name, time: block.time }
    }),
  )
  return timeReachedBy(
    needed,
    blocks.filter((block) => block !== null),
  )
}
