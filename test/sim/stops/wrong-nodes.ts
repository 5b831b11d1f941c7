import { assets } from '@lode/kernel'
import { type Hex, hexToNumber, keccak256, numberToHex, parseUnits } from 'viem'
import { transferCall } from '../members/wallet.ts'
import { waitUntilCaughtUp } from '../open-world.ts'
import { query } from '../query.ts'
import { BLOCKS_TO_FINALITY } from '../stack/chain.ts'
import type { Lie, RpcRequest } from '../stack/node-proxy.ts'
import type { World } from '../world.ts'
import { endByTwo, mineUntil, NONE, readStops, resumeByTwo, type Stop, waitForReadiness, waitForStop } from './stop.ts'

/** Stops because of what nodes say. Each lie ends when the simulator "replaces the node". */

type Block = { readonly number: Hex; readonly hash: Hex }

const asksForBlock = ({ method }: RpcRequest): boolean => method === 'eth_getBlockByNumber'

async function readPosted({ stack }: World): Promise<number> {
  const [row] = await query<{ number: string }>(stack.ownerUrl, 'select posted_number as number from lode.chain_state')
  return Number(row?.number)
}

/** The first node lies. The second one is cut off until the stop is in force, so that the worker asks the first one. */
async function stopByFirstNode(world: World, lie: Lie, reason: RegExp): Promise<() => void> {
  const [first, second] = world.stack.nodeProxies
  first.tell(lie)
  second.mode = 'refuses'
  await waitForStop(world, reason)
  second.mode = 'works'
  return () => {
    first.mode = 'works'
  }
}

const setAll = ({ stack }: World, change: (proxy: World['stack']['nodeProxies'][0]) => void): void =>
  stack.nodeProxies.forEach(change)

const otherChainId: Stop = {
  name: 'a node has another chain id',
  how: 'a node says that it is of chain 1',
  credits: assets,
  payouts: assets,
  isQuick: true,
  async begin(world, random) {
    const lie: Lie = ({ method }, answer) => (method === 'eth_chainId' ? { result: '0x1' } : answer)
    const replaceNode = await stopByFirstNode(world, lie, /is of chain 1, not of/)
    return async () => {
      replaceNode()
      await resumeByTwo(world, random)
    }
  },
}

const finalBlockChanged: Stop = {
  name: 'a final block changed',
  how: 'a node says another hash of the posted block',
  credits: assets,
  payouts: assets,
  isQuick: true,
  async begin(world, random) {
    const posted = numberToHex(await readPosted(world))
    const lie: Lie = (request, answer) =>
      asksForBlock(request) && (answer.result as Block | null)?.number === posted ? withOtherHash(answer) : answer
    const replaceNode = await stopByFirstNode(world, lie, /was final as/)
    return async () => {
      replaceNode()
      await resumeByTwo(world, random)
    }
  },
}

const withOtherHash = ({ result }: { readonly result?: unknown }) => {
  const block = result as Block
  return { result: { ...block, hash: keccak256(block.hash) } }
}

const chainTooShort: Stop = {
  name: 'the chain is shorter than the posted block',
  how: 'no node has the newest final blocks',
  credits: assets,
  payouts: assets,
  isQuick: false,
  async begin(world, random) {
    const last = (await readPosted(world)) - 2
    const newest = await world.chain.request('eth_getBlockByNumber', [numberToHex(last), false])
    const lie: Lie = (request, answer) => {
      if (!asksForBlock(request) || answer.result === null) return answer
      if (!String(request.params[0]).startsWith('0x')) return { result: newest }
      return hexToNumber((answer.result as Block).number) > last ? { result: null } : answer
    }
    setAll(world, (proxy) => proxy.tell(lie))
    await waitForStop(world, /which was final/)
    return async () => {
      setAll(world, (proxy) => {
        proxy.mode = 'works'
      })
      await resumeByTwo(world, random)
    }
  },
}

const oneOrigin: Stop = {
  name: 'only one origin of nodes answers, or nodes disagree',
  how: 'the line to one node is cut',
  credits: assets,
  payouts: assets,
  isQuick: true,
  async begin({ stack }, random) {
    const cut = random.pick(stack.nodeProxies)
    cut.mode = 'refuses'
    return async () => {
      cut.mode = 'works'
    }
  },
}

const nodesDisagree: Stop = {
  name: oneOrigin.name,
  how: 'a node says other hashes of all newer blocks',
  credits: assets,
  payouts: assets,
  isQuick: true,
  async begin(world, random) {
    const posted = await readPosted(world)
    const liar = random.pick(world.stack.nodeProxies)
    liar.tell((request, answer) =>
      asksForBlock(request) && answer.result && hexToNumber((answer.result as Block).number) > posted
        ? withOtherHash(answer)
        : answer,
    )
    // A payout needs agreement about a block that both nodes have as final. The posted block is still one.
    await world.chain.mine(BLOCKS_TO_FINALITY)
    return async () => {
      liar.mode = 'works'
    }
  },
}

const BALANCE_OF = '0x70a08231'

const logMissed: Stop = {
  name: 'ledger and vault differ, because a log was missed',
  how: 'both nodes hide a transfer and have dropped the balances of that block',
  credits: ['USDT'],
  payouts: ['USDT'],
  isQuick: false,
  async begin(world, random, member) {
    const { chain } = world
    const { vault, usdt } = chain.contracts
    const agreedBlock = await readPosted(world)
    const { target, data } = transferCall(vault, { symbol: 'USDT', token: usdt, amount: parseUnits('3', 6) })
    const hidden = await chain.send(member.key, { to: target, data })
    setAll(world, (proxy) => proxy.tell(hideTransfer(hidden)))
    await chain.mine(BLOCKS_TO_FINALITY + 2)
    await waitUntilCaughtUp(world)
    setAll(world, (proxy) => {
      proxy.mode = 'works'
    })
    await chain.mine(1)
    await waitForStop(world, /USDT: .*the vault holds .* but the ledger/)
    return () =>
      endByTwo(world, random, {
        args: ['chain', 'rewind', String(agreedBlock), 'a node had left out a log'],
        isStopped: async () => (await readStops(world)).length > 0,
      })
  },
}

const hideTransfer =
  (hidden: Hex): Lie =>
  ({ method, params }, answer) => {
    if (method === 'eth_getLogs' && Array.isArray(answer.result))
      return { result: answer.result.filter(({ transactionHash }) => transactionHash !== hidden) }
    const isBalance = method === 'eth_call' && JSON.stringify(params[0]).includes(BALANCE_OF)
    return isBalance ? { error: { code: -32_000, message: 'missing trie node' } } : answer
  }

const proofContradicts: Stop = {
  name: 'the proof contradicts the chain (check 6)',
  how: 'both nodes have no receipt of a credited transfer',
  credits: NONE,
  payouts: assets,
  isQuick: true,
  async begin(world, random, member) {
    const { chain, stack } = world
    const { vault, usdt } = chain.contracts
    const { target, data } = transferCall(vault, { symbol: 'USDT', token: usdt, amount: parseUnits('1', 6) })
    const hidden = await chain.send(member.key, { to: target, data })
    setAll(world, (proxy) =>
      proxy.tell(({ method, params }, answer) =>
        method === 'eth_getTransactionReceipt' && params[0] === hidden ? { result: null } : answer,
      ),
    )
    await mineUntil(world, 'credits what the signer cannot look up', async () =>
      (await query(stack.ownerUrl, 'select 1 from lode.ledger_transaction where key like $1', [`%${hidden}%`])).length
        ? []
        : [hidden],
    )
    await waitForReadiness(world, stack.signer, new RegExp(hidden))
    return async () => {
      setAll(world, (proxy) => {
        proxy.mode = 'works'
      })
      await endByTwo(world, random, {
        args: ['proof', 'again', 'both nodes were replaced'],
        isStopped: await isNotCarriedOut(world, 'prove-again'),
      })
    }
  },
}

/** Whether no decision of this verb was carried out since now. */
async function isNotCarriedOut({ stack }: World, verb: string): Promise<() => Promise<boolean>> {
  const count = async () =>
    (
      await query(
        stack.ownerUrl,
        'select 1 from lode.decision_outcome join lode.decision on decision.id = decision_id where verb = $1',
        [verb],
      )
    ).length
  const before = await count()
  return async () => (await count()) === before
}

export const nodeStops = [
  otherChainId,
  finalBlockChanged,
  chainTooShort,
  oneOrigin,
  nodesDisagree,
  logMissed,
  proofContradicts,
] as const
