import { ok, type Result, refused } from '@lode/kernel'
import type { Address, Hex } from 'viem'
import { decodeAbiParameters, isHex } from 'viem/utils'
import { layersOf } from '../errors.ts'
import { type Provider, read } from '../provider.ts'
import type { Call } from './contracts.ts'
import type { Block } from './payment.ts'

/** A node that takes longer counts as one that does not answer. */
const READ_MS = 8_000

/** `no-node`: nothing came that could be used. A chain that says no says why, as far as a contract tells. */
type Reverted = { readonly kind: 'reverted'; readonly data: Hex }
type CallProblem = Reverted | { readonly kind: 'no-node' }
const noNode = { kind: 'no-node' } as const

export type Receipt = { readonly success: boolean; readonly block: Block }
export type Transaction = {
  readonly from: string
  readonly to: string | null
  readonly data: string
  readonly nonce: number
}

export type Chain = ReturnType<typeof chainOf>

/** Questions about the chain, by way of the member's own wallet. None of them opens it. */
export function chainOf(provider: Provider) {
  async function ask(method: string, params: readonly unknown[]): Promise<Result<unknown, CallProblem>> {
    let timer: ReturnType<typeof setTimeout> | undefined
    const silence = new Promise<Result<unknown, CallProblem>>((resolve) => {
      timer = setTimeout(() => resolve(refused(noNode)), READ_MS)
    })
    const answer = Promise.resolve()
      .then(() => provider.request({ method, params }))
      .then(ok, (thrown: unknown) => refused(revertIn(thrown) ?? noNode))
    const first = await Promise.race([answer, silence])
    clearTimeout(timer)
    return first
  }

  async function number(method: string, params: readonly unknown[]): Promise<Result<number, 'no-node'>> {
    const answer = await ask(method, params)
    const value = answer.ok ? quantity(answer.value) : null
    return value === null ? refused('no-node') : ok(value)
  }

  /** What a contract answers, or why it refuses. */
  async function call(call: Call, from?: Address): Promise<Result<Hex, CallProblem>> {
    const answer = await ask('eth_call', [from ? { from, ...call } : call, 'latest'])
    if (!answer.ok) return answer
    return isHex(answer.value) ? ok(answer.value) : refused(noNode)
  }

  return {
    call,

    /** One number out of a contract. A contract that does not know the question gives no number. */
    async word(question: Call): Promise<Result<bigint, CallProblem>> {
      const answer = await call(question)
      if (!answer.ok) return answer
      return /^0x[0-9a-f]{64}$/i.test(answer.value)
        ? ok(BigInt(answer.value))
        : refused({ kind: 'reverted', data: '0x' })
    },

    async domain(question: Call): Promise<Result<SigningDomain | null, 'no-node'>> {
      const answer = await call(question)
      if (!answer.ok) return answer.error.kind === 'reverted' ? ok(null) : refused('no-node')
      return ok(domainFrom(answer.value))
    },

    chainId: () => number('eth_chainId', []),
    nonce: (account: Address, at: 'latest' | 'pending' | number) =>
      number('eth_getTransactionCount', [account, typeof at === 'number' ? hexOf(at) : at]),
    blockNumber: () => number('eth_blockNumber', []),

    async hasCode(account: Address): Promise<Result<boolean, 'no-node'>> {
      const answer = await ask('eth_getCode', [account, 'latest'])
      if (!answer.ok || !isHex(answer.value)) return refused('no-node')
      // An account that lends itself a contract's code (EIP-7702) still signs with its own key.
      return ok(answer.value !== '0x' && !answer.value.toLowerCase().startsWith('0xef0100'))
    },

    async ether(account: Address): Promise<Result<bigint, 'no-node'>> {
      const answer = await ask('eth_getBalance', [account, 'latest'])
      return answer.ok && isHex(answer.value) && answer.value !== '0x' ? ok(BigInt(answer.value)) : refused('no-node')
    },

    async latestTime(): Promise<Result<number, 'no-node'>> {
      const answer = await ask('eth_getBlockByNumber', ['latest', false])
      const time = answer.ok ? quantity(read(answer.value, 'timestamp')) : null
      return time === null ? refused('no-node') : ok(time)
    },

    /** Null where there is none: not in a block, or taken out of one. */
    async receipt(hash: Hex): Promise<Result<Receipt | null, 'no-node'>> {
      const answer = await ask('eth_getTransactionReceipt', [hash])
      if (!answer.ok) return refused('no-node')
      if (answer.value === null || answer.value === undefined) return ok(null)
      const status = quantity(read(answer.value, 'status'))
      const blockNumber = quantity(read(answer.value, 'blockNumber'))
      const blockHash = hashFrom(read(answer.value, 'blockHash'))
      if (status === null || blockNumber === null || blockHash === null) return refused('no-node')
      return ok({ success: status === 1, block: { number: blockNumber, hash: blockHash } })
    },

    /** Null where the network does not know it, neither in a block nor waiting for one. */
    async transaction(hash: Hex): Promise<Result<Transaction | null, 'no-node'>> {
      const answer = await ask('eth_getTransactionByHash', [hash])
      if (!answer.ok) return refused('no-node')
      return answer.value === null || answer.value === undefined ? ok(null) : ok(transactionFrom(answer.value))
    },

    /** The transactions of one account in a block. */
    async transactionsOf(
      account: Address,
      block: number,
    ): Promise<Result<readonly (Transaction & { hash: Hex })[], 'no-node'>> {
      const answer = await ask('eth_getBlockByNumber', [hexOf(block), true])
      const listed = answer.ok ? read(answer.value, 'transactions') : undefined
      if (!Array.isArray(listed)) return refused('no-node')
      return ok(
        listed.flatMap((one) => {
          const transaction = transactionFrom(one)
          const hash = hashFrom(read(one, 'hash'))
          return transaction && hash && transaction.from === account.toLowerCase() ? [{ ...transaction, hash }] : []
        }),
      )
    },

    /** The transactions that left a log whose data begins so, the oldest first. */
    async transactionsWith(
      log: { address: Address; topics: readonly string[]; data: Hex },
      fromBlock: number,
      toBlock: number,
    ): Promise<Result<readonly Hex[], 'no-node'>> {
      const { address, topics, data } = log
      const answer = await ask('eth_getLogs', [
        { address, topics, fromBlock: hexOf(fromBlock), toBlock: hexOf(toBlock) },
      ])
      if (!answer.ok || !Array.isArray(answer.value)) return refused('no-node')
      return ok(
        answer.value
          .filter((one) => String(read(one, 'data')).toLowerCase().startsWith(data.toLowerCase()))
          .map((one) => hashFrom(read(one, 'transactionHash')))
          .filter((hash) => hash !== null),
      )
    },
  }
}

/** What a permit is signed for, besides its terms (EIP-712, told by the token as EIP-5267 says). */
export type SigningDomain = {
  readonly name: string
  readonly version: string
  readonly chainId: number
  readonly verifyingContract: Address
}

/** Name, version, chain and contract; a domain with anything else in it is one that we do not know how to sign for. */
const PLAIN_DOMAIN = '0x0f'

function domainFrom(answer: Hex): SigningDomain | null {
  try {
    const [fields, name, version, chainId, verifyingContract] = decodeAbiParameters(
      [
        { type: 'bytes1' },
        { type: 'string' },
        { type: 'string' },
        { type: 'uint256' },
        { type: 'address' },
        { type: 'bytes32' },
        { type: 'uint256[]' },
      ],
      answer,
    )
    return fields === PLAIN_DOMAIN ? { name, version, chainId: Number(chainId), verifyingContract } : null
  } catch {
    return null
  }
}

function transactionFrom(value: unknown): Transaction | null {
  const [from, to, data, nonce] = [read(value, 'from'), read(value, 'to'), read(value, 'input'), read(value, 'nonce')]
  const count = quantity(nonce)
  if (typeof from !== 'string' || typeof data !== 'string' || count === null) return null
  return { from: from.toLowerCase(), to: typeof to === 'string' ? to.toLowerCase() : null, data, nonce: count }
}

/** Wallets pass on what their node said, wrapped in errors of their own. Null where the chain itself did not refuse. */
function revertIn(thrown: unknown): Reverted | null {
  const layers = layersOf(thrown)
  const data = layers
    .map((layer) => (typeof layer === 'string' ? layer : read(layer, 'data')))
    .find((one) => isHex(one))
  if (isHex(data)) return { kind: 'reverted', data }
  const said = layers.some((layer) => {
    const words = typeof layer === 'string' ? layer : read(layer, 'message')
    return read(layer, 'code') === 3 || (typeof words === 'string' && /revert/i.test(words.slice(0, 500)))
  })
  return said ? { kind: 'reverted', data: '0x' } : null
}

const hexOf = (value: number): Hex => `0x${value.toString(16)}`

function quantity(value: unknown): number | null {
  if (typeof value !== 'string' && typeof value !== 'number') return null
  const count = Number(value)
  return value !== '' && Number.isSafeInteger(count) && count >= 0 ? count : null
}

const hashFrom = (value: unknown): Hex | null =>
  typeof value === 'string' && /^0x[0-9a-f]{64}$/i.test(value) ? (value.toLowerCase() as Hex) : null
