import { type Result, refused } from '@lode/kernel'
import type { Hex } from 'viem'
import { READ_TIMEOUT_MS } from '../../shared/pool/index.ts'
import { answerInTime } from '../answer-in-time.ts'
import type { Wallet } from '../discovery.ts'
import type { Provider } from '../provider.ts'
import { createBlockSearch } from './block-search.ts'
import { type ChainReader, createChainReader } from './chain-reader.ts'
import type { ChainSnapshot } from './derive-event.ts'
import { findPayment } from './find-payment.ts'
import type { Payment } from './payment.ts'
import { selectPurposeRules } from './select-purpose-rules.ts'

export type ChainNodes = ReturnType<typeof createChainNodes>

type NodeSources = {
  readonly findWallet: () => Promise<Wallet | null>
  readonly findPoolNode: () => Promise<Provider | null>
}

/**
 * The two nodes through which a payment is looked for: the wallet's node first, then the pool's public node. Many
 * nodes behind wallets refuse to search for logs, and some are silent for minutes.
 */
export function createChainNodes({ findWallet, findPoolNode }: NodeSources) {
  // Each node has its own search, because a search remembers what its node has shown.
  const nodes = [
    { find: async () => (await findWallet())?.provider ?? null, search: createBlockSearch() },
    { find: findPoolNode, search: createBlockSearch() },
  ]

  async function openNode(find: () => Promise<Provider | null>, chainId: number): Promise<ChainReader | null> {
    // A wallet or the pool may never say which node to ask.
    const provider = await answerInTime(find(), READ_TIMEOUT_MS, null)
    if (!provider) return null
    const chain = createChainReader(provider)
    const current = await chain.chainId()
    return current.ok && current.value === chainId ? chain : null
  }

  return {
    /**
     * What the chain shows about a payment. The first node that shows it on the chain or on its way decides. Otherwise
     * the answer is that of the first node that could be searched completely. A node that is behind `minBlock` is not
     * asked.
     */
    async find(
      payment: Payment,
      takenByOthers: ReadonlySet<Hex>,
      minBlock = 0,
    ): Promise<Result<ChainSnapshot, 'no-node'>> {
      let answer: Result<ChainSnapshot, 'no-node'> = refused('no-node')
      for (const { find, search } of nodes) {
        const chain = await openNode(find, payment.intent.chainId)
        if (!chain || (minBlock > 0 && !(await isAtBlock(chain, minBlock)))) continue
        const snapshot = await findPayment(chain, selectPurposeRules(payment.intent), payment, takenByOthers, search)
        if (!snapshot.ok) continue
        if (isShown(snapshot.value)) return snapshot
        if (!answer.ok) answer = snapshot
      }
      return answer
    },

    /** Asks the nodes in turn until one has an answer. */
    async ask<T>(
      chainId: number,
      question: (chain: ChainReader) => Promise<Result<T, 'no-node'>>,
    ): Promise<Result<T, 'no-node'>> {
      for (const { find } of nodes) {
        const chain = await openNode(find, chainId)
        const answer = chain && (await question(chain))
        if (answer?.ok) return answer
      }
      return refused('no-node')
    },
  }
}

async function isAtBlock(chain: ChainReader, block: number): Promise<boolean> {
  const latest = await chain.blockNumber()
  return latest.ok && latest.value >= block
}

/** The payment is in a block, or waits for one. */
const isShown = ({ traces, found }: ChainSnapshot): boolean =>
  found !== null || traces.some(({ receipt, waiting }) => receipt?.success || waiting !== null)
