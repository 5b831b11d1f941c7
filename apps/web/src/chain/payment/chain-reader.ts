import { ok, type Result, refused } from '@lode/kernel'
import type { Address, Hex } from 'viem'
import { isHex } from 'viem/utils'
import { type Provider, read } from '../provider.ts'
import { type AskNode, askNodeThrough, type CallProblem, noNode } from './ask-node.ts'
import type { Call } from './contracts.ts'
import type { Block } from './payment.ts'
import { parseDomain, type SigningDomain } from './signing-domain.ts'

export type Receipt = { readonly success: boolean; readonly block: Block }
export type Transaction = {
  readonly from: string
  readonly to: string | null
  readonly data: string
  readonly nonce: number
}

export type ChainReader = ReturnType<typeof createChainReader>

/** Reads the chain through the member's own wallet. No read opens the wallet. */
export function createChainReader(provider: Provider) {
  const ask = askNodeThrough(provider)
  return { ...contractReads(ask), ...headAndAccountReads(ask), ...transactionReads(ask) }
}

function contractReads(ask: AskNode) {
  /** Calls a contract without a transaction. Returns its answer, or why it reverted. */
  async function call(call: Call, from?: Address): Promise<Result<Hex, CallProblem>> {
    const answer = await ask('eth_call', [from ? { from, ...call } : call, 'latest'])
    if (!answer.ok) return answer
    return isHex(answer.value) ? ok(answer.value) : refused(noNode)
  }

  return {
    call,

    /** Reads one number from a contract. A contract without this function counts as a revert. */
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
      return ok(parseDomain(answer.value))
    },
  }
}

function headAndAccountReads(ask: AskNode) {
  async function askForNumber(method: string, params: readonly unknown[]): Promise<Result<number, 'no-node'>> {
    const answer = await ask(method, params)
    const value = answer.ok ? parseQuantity(answer.value) : null
    return value === null ? refused('no-node') : ok(value)
  }

  async function askForUnits(method: string, params: readonly unknown[]): Promise<Result<bigint, 'no-node'>> {
    const answer = await ask(method, params)
    return answer.ok && isHex(answer.value) && answer.value !== '0x' ? ok(BigInt(answer.value)) : refused('no-node')
  }

  return {
    chainId: () => askForNumber('eth_chainId', []),
    nonce: (account: Address, at: 'latest' | 'pending' | number) =>
      askForNumber('eth_getTransactionCount', [account, typeof at === 'number' ? hexOf(at) : at]),
    blockNumber: () => askForNumber('eth_blockNumber', []),

    async hasCode(account: Address): Promise<Result<boolean, 'no-node'>> {
      const answer = await ask('eth_getCode', [account, 'latest'])
      if (!answer.ok || !isHex(answer.value)) return refused('no-node')
      // An account that uses a contract's code (EIP-7702) still signs with its own key.
      return ok(answer.value !== '0x' && !answer.value.toLowerCase().startsWith('0xef0100'))
    },

    ether: (account: Address) => askForUnits('eth_getBalance', [account, 'latest']),

    /** What a transaction with this call would use. Refused for a call that would revert. */
    gas: (call: Call, from: Address) => askForUnits('eth_estimateGas', [{ from, ...call }]),
    gasPrice: () => askForUnits('eth_gasPrice', []),

    async latestTime(): Promise<Result<number, 'no-node'>> {
      const answer = await ask('eth_getBlockByNumber', ['latest', false])
      const time = answer.ok ? parseQuantity(read(answer.value, 'timestamp')) : null
      return time === null ? refused('no-node') : ok(time)
    },
  }
}

const transactionReads = (ask: AskNode) => ({
  /** Null if no block holds the transaction, for example after a reorganization. */
  async receipt(hash: Hex): Promise<Result<Receipt | null, 'no-node'>> {
    const answer = await ask('eth_getTransactionReceipt', [hash])
    if (!answer.ok) return refused('no-node')
    if (answer.value === null || answer.value === undefined) return ok(null)
    const status = parseQuantity(read(answer.value, 'status'))
    const blockNumber = parseQuantity(read(answer.value, 'blockNumber'))
    const blockHash = parseHash(read(answer.value, 'blockHash'))
    if (status === null || blockNumber === null || blockHash === null) return refused('no-node')
    return ok({ success: status === 1, block: { number: blockNumber, hash: blockHash } })
  },

  /** Null if the network does not know the transaction, neither in a block nor waiting for one. */
  async transaction(hash: Hex): Promise<Result<Transaction | null, 'no-node'>> {
    const answer = await ask('eth_getTransactionByHash', [hash])
    if (!answer.ok) return refused('no-node')
    return answer.value === null || answer.value === undefined ? ok(null) : ok(parseTransaction(answer.value))
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
        const transaction = parseTransaction(one)
        const hash = parseHash(read(one, 'hash'))
        return transaction && hash && transaction.from === account.toLowerCase() ? [{ ...transaction, hash }] : []
      }),
    )
  },

  /** The transactions with a log that matches the filter and whose data begins with `data`, oldest first. */
  async transactionsWith(
    filter: { address: Address; topics: readonly string[]; data: Hex },
    fromBlock: number,
    toBlock: number,
  ): Promise<Result<readonly Hex[], 'no-node'>> {
    const { address, topics, data } = filter
    const answer = await ask('eth_getLogs', [{ address, topics, fromBlock: hexOf(fromBlock), toBlock: hexOf(toBlock) }])
    if (!answer.ok || !Array.isArray(answer.value)) return refused('no-node')
    return ok(
      answer.value
        .filter((one) => String(read(one, 'data')).toLowerCase().startsWith(data.toLowerCase()))
        .map((one) => parseHash(read(one, 'transactionHash')))
        .filter((hash) => hash !== null),
    )
  },
})

function parseTransaction(value: unknown): Transaction | null {
  const [from, to, data, nonce] = [read(value, 'from'), read(value, 'to'), read(value, 'input'), read(value, 'nonce')]
  const count = parseQuantity(nonce)
  if (typeof from !== 'string' || typeof data !== 'string' || count === null) return null
  return { from: from.toLowerCase(), to: typeof to === 'string' ? to.toLowerCase() : null, data, nonce: count }
}

const hexOf = (value: number): Hex => `0x${value.toString(16)}`

function parseQuantity(value: unknown): number | null {
  if (typeof value !== 'string' && typeof value !== 'number') return null
  const count = Number(value)
  return value !== '' && Number.isSafeInteger(count) && count >= 0 ? count : null
}

const parseHash = (value: unknown): Hex | null =>
  typeof value === 'string' && /^0x[0-9a-f]{64}$/i.test(value) ? (value.toLowerCase() as Hex) : null
