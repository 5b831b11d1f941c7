import { setTimeout as sleep } from 'node:timers/promises'
import type {
  Abi,
  ContractFunctionArgs,
  ContractFunctionName,
  ReadContractParameters,
  ReadContractReturnType,
} from 'viem'
import type { Finality } from '../config/config.ts'
import { describeDisagreement } from './describe-disagreement.ts'
import {
  type Block,
  type ChainNode,
  failureText,
  isNodeRefusal,
  NodeContradiction,
  NodesDisagree,
  NodeTooLate,
  NoSecondNode,
} from './node.ts'
import { findFurthest, findFutureHeads, type Head, listNames } from './node-heads.ts'

/** What can be read of the chain up to a final block: from one node, or from nodes that agree. */
export type ChainReader = Pick<
  ChainNode,
  'name' | 'read' | 'readRange' | 'blocks' | 'logs' | 'logsInBlock' | 'logsOf' | 'hasCode' | 'transactionCount'
>

/** The last block that nodes of two origins have as final, and what they agree on about blocks up to it. */
export type AgreedChain = ChainReader & {
  readonly finalized: Block
  /** How far the chain is, as final (`findFurthest`). */
  readonly furthest: Pick<Block, 'number' | 'time'>
  /** What the node of this turn and each node of another origin report as final. */
  readonly heads: readonly Head[]
  /** Nodes that are not asked, because their last final block is in the future, each with this reason. */
  readonly refused: readonly RefusedNode[]
}

type RefusedNode = { readonly name: string; readonly reason: string }

/** How long a question waits for each further node. */
const FURTHER_NODE_TIMEOUT_MS = 3_000
/** A node whose final block is older than that of another by more than this is not used for a turn. */
const MAX_BEHIND_MS = 15 * 60_000

/**
 * Returns the chain up to the last block that this node and a node of another origin have as final. Every question goes
 * to all nodes that have this block:
 *
 *     node of this turn ── must answer ─────────────────────────────┐
 *     a node of another origin ── at least one must answer ─────────┤ all answers are the same: the answer counts
 *     any further node ── may be silent, and may not contradict ────┘ one differs: NodesDisagree
 *
 * A node whose last final block is in the future is not asked at all. So a single node that lies or lags can hold things
 * up, but it cannot bring about anything. Throws `NoSecondNode` if no node of another origin answers. If all configured
 * nodes have one origin, one answer is enough; production refuses such a configuration.
 */
export async function agreeOnChain(
  node: ChainNode,
  others: readonly ChainNode[],
  { own, finality }: { readonly own: Block; readonly finality: Finality },
): Promise<AgreedChain> {
  const ownHead = { node, finalized: own }
  if (others.every(({ name }) => name === node.name))
    return { ...node, finalized: own, furthest: own, heads: [ownHead], refused: [] }
  const { found, failures } = await readHeads(others, finality)
  const future = findFutureHeads([ownHead, ...found], new Date())
  const refused = future.map(describeFutureHead)
  if (future.includes(ownHead)) throw new NodeContradiction(`${node.name}: ${describeFutureHead(ownHead).reason}`)
  const heads = found.filter((head) => !future.includes(head))
  const seconds = heads
    .filter((head) => head.node.name !== node.name)
    .toSorted((one, other) => (one.finalized.number > other.finalized.number ? -1 : 1))
  if (seconds.length === 0) {
    const reasons = [...failures, ...refused.map(({ name, reason }) => `${name}: ${reason}`)].sort()
    throw new NoSecondNode(`no second node answers: ${reasons.join('; ')}`)
  }
  const reported = [ownHead, ...seconds]
  const furthest = findFurthest(reported)
  checkNotBehind(ownHead, seconds, furthest)
  let missing: NoSecondNode | undefined
  // A node may report a block and then not answer about it. Then the next one decides, which may be behind it.
  for (const { finalized: theirs } of seconds) {
    const isOwnAhead = own.number > theirs.number
    const number = isOwnAhead ? theirs.number : own.number
    const further = heads.filter((head) => head.finalized.number >= number).map((head) => head.node)
    const reader = createAgreedReader(node, further)
    try {
      const [finalized] = await reader.blocks([number])
      if (!finalized) throw new NodeContradiction('the node did not return a block that was requested')
      return { ...reader, finalized, furthest, heads: reported, refused }
    } catch (error) {
      if (!(error instanceof NoSecondNode)) throw error
      missing = error
    }
  }
  throw missing
}

/** Throws if this node's final block is much older than that of the other nodes, or of two of them. */
function checkNotBehind({ node, finalized }: Head, seconds: readonly Head[], furthest: Pick<Block, 'time'>): void {
  const behindMs = furthest.time.getTime() - finalized.time.getTime()
  if (behindMs <= MAX_BEHIND_MS) return
  const ahead = seconds.filter((head) => head.finalized.time >= furthest.time)
  throw new NodeContradiction(`${node.name} is ${Math.round(behindMs / 60_000)} minutes behind ${listNames(ahead)}`)
}

const describeFutureHead = ({ node: { name }, finalized }: Head): RefusedNode => ({
  name,
  reason: `its last final block is of ${finalized.time.toISOString()}, which is in the future`,
})

type ReadHead = { readonly node: ChainNode; readonly finalized: Block }

async function readHeads(
  others: readonly ChainNode[],
  finality: Finality,
): Promise<{ found: ReadHead[]; failures: string[] }> {
  const results = await Promise.allSettled(others.map((other) => answerInTime(other.head(finality))))
  const found: ReadHead[] = []
  const failures: string[] = []
  for (const [index, result] of results.entries()) {
    const other = others[index] as ChainNode
    if (result.status === 'fulfilled') found.push({ node: other, finalized: result.value.finalized })
    else failures.push(`${other.name}: ${failureText(result.reason)}`)
  }
  return { found, failures }
}

type AskOptions<T> = {
  /** Whether an answer says nothing. Further nodes that give it count as silent, unless all nodes give it. */
  readonly saysNothing?: (answer: T) => boolean
}

function createAgreedReader(node: ChainNode, further: readonly ChainNode[]): ChainReader {
  const askable = new Set(further)
  let lastFailure = ''

  async function ask<T>(
    subject: string,
    question: (node: ChainNode) => Promise<T>,
    { saysNothing = () => false }: AskOptions<T> = {},
  ): Promise<T> {
    const asked = [...askable]
    const [own, ...rest] = await Promise.allSettled([
      question(node),
      ...asked.map((other) => answerInTime(question(other))),
    ])
    if (own.status === 'rejected') throw own.reason
    const answers = [{ name: node.name, answer: own.value }]
    const failed: { other: ChainNode; error: unknown }[] = []
    for (const [index, result] of rest.entries()) {
      const other = asked[index] as ChainNode
      // Whatever fails here is a failure of that node: for example, its answer is malformed.
      if (result.status === 'rejected') failed.push({ other, error: result.reason })
      else if (saysNothing(own.value) === saysNothing(result.value))
        answers.push({ name: other.name, answer: result.value })
      else if (saysNothing(own.value))
        throw new NodeContradiction(`${node.name} lacks the ${subject}; ${other.name} has them`)
      else failed.push({ other, error: new NodeContradiction(`it lacks the ${subject}`) })
    }
    for (const { other, error } of failed) lastFailure = `${other.name}: ${failureText(error)}`
    const disagreement = describeDisagreement(subject, answers)
    if (disagreement) throw new NodesDisagree(disagreement)
    if (answers.every(({ name }) => name === node.name)) {
      const refusal = failed.find(({ error }) => isNodeRefusal(error))?.error
      throw new NoSecondNode(`no second node answers: ${lastFailure}`, { cause: refusal })
    }
    // The others suffice, so a node that is late is not waited for again in this turn.
    for (const { other, error } of failed) if (error instanceof NodeTooLate) askable.delete(other)
    return own.value
  }

  return {
    /** All nodes that are asked: a message must not blame one for what several said. */
    name: Array.from(new Set([node, ...further].map(({ name }) => name))).join(' and '),
    readRange: node.readRange,
    read<
      const A extends Abi,
      F extends ContractFunctionName<A, 'pure' | 'view'>,
      const Args extends ContractFunctionArgs<A, 'pure' | 'view', F>,
    >(call: ReadContractParameters<A, F, Args>): Promise<ReadContractReturnType<A, F, Args>> {
      return ask(`${call.functionName} of ${call.address}`, (each) => each.read(call))
    },
    blocks: (numbers) => ask('block hashes', (each) => each.blocks(numbers)),
    logs: (filter, from, to) => ask(`logs of blocks ${from} to ${to}`, (each) => each.logs(filter, from, to)),
    logsInBlock: (filter, block) => ask(`logs of block ${block.number}`, (each) => each.logsInBlock(filter, block)),
    // A node that lags answers null, too. A node that has pruned old receipts fails.
    logsOf: (tx, oldest) =>
      ask(`logs of transaction ${tx}`, (each) => each.logsOf(tx, oldest), { saysNothing: (answer) => answer === null }),
    transactionCount: (address, at) => ask(`transactions of ${address}`, (each) => each.transactionCount(address, at)),
    hasCode: (address, number) => ask(`code of ${address}`, (each) => each.hasCode(address, number)),
  }
}

const LATE = Symbol('late')

async function answerInTime<T>(answer: Promise<T>): Promise<T> {
  const first = await Promise.race([answer, sleep(FURTHER_NODE_TIMEOUT_MS, LATE, { ref: false })])
  if (first === LATE) {
    answer.catch(() => {})
    throw new NodeTooLate(`no answer within ${FURTHER_NODE_TIMEOUT_MS / 1_000} seconds`)
  }
  return first
}
