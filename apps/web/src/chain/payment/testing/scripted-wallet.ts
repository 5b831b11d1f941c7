import { decodeFunctionData, type Hex, numberToHex, pad } from 'viem'
import type { Wallet } from '../../discovery.ts'
import {
  allowanceCall,
  approveAmountCall,
  balanceCall,
  depositedLogFilter,
  pausedCall,
  tokenAbi,
} from '../contracts.ts'
import { intent } from './example.ts'

const selectorOf = (call: { data: Hex }) => call.data.slice(0, 10)
const [BALANCE, ALLOWANCE, PAUSED, APPROVE] = [
  balanceCall(intent.token, intent.account),
  allowanceCall(intent),
  pausedCall(intent.vault),
  approveAmountCall(intent, 0n),
].map(selectorOf)

type Answer = () => Promise<unknown>

/** A wallet and its chain, for a plain token with an allowance already set. Tests write the state into `chain`. */
export function scriptedWallet() {
  const chain = {
    block: 60,
    allowance: intent.units,
    /** Deposits with the example's terms, each with its block number. */
    deposits: new Map<Hex, number>(),
    waiting: new Map<Hex, number>(),
    /** Whether the node refuses a log search of this width. */
    refusesLogs: (_width: number): boolean => false,
    searched: [] as [number, number][],
    /** Whether the token refuses to change its allowance into this one. */
    refusesAllowance: (_value: bigint): boolean => false,
    /** The allowances that trial calls asked the token for. */
    triedAllowances: [] as bigint[],
    /** Answers instead of the chain. Null: the chain answers. */
    instead: (_method: string, _data: Hex | undefined): Promise<unknown> | null => null,
    sent: [] as unknown[],
    /** The wallet's answer to a request to send. */
    onSend: (async () => {
      throw { code: 4001 }
    }) as Answer,
  }

  function logs({ fromBlock, toBlock }: { fromBlock: Hex; toBlock: Hex }): unknown {
    const [from, to] = [Number(fromBlock), Number(toBlock)]
    chain.searched.push([from, to])
    if (chain.refusesLogs(to - from + 1)) throw { code: -32005, message: 'query exceeds limit' }
    return [...chain.deposits]
      .filter(([, block]) => block >= from && block <= to)
      .map(([transactionHash]) => ({ transactionHash, data: depositedLogFilter(intent).data }))
  }

  function contract({ data }: { data: Hex }): Hex {
    switch (data.slice(0, 10)) {
      case BALANCE:
        return pad(numberToHex(intent.units * 10n))
      case ALLOWANCE:
        return pad(numberToHex(chain.allowance))
      case PAUSED:
        return pad('0x0')
      case APPROVE: {
        const value = decodeFunctionData({ abi: tokenAbi, data }).args?.[1] as bigint
        chain.triedAllowances.push(value)
        if (chain.refusesAllowance(value)) throw { code: 3, message: 'execution reverted', data: '0x' }
        return '0x'
      }
      case '0x7ecebe00':
      case '0x84b0196e':
        throw { code: 3, message: 'execution reverted', data: '0x' }
      default:
        return '0x'
    }
  }

  async function request({ method, params = [] }: { method: string; params?: readonly unknown[] }): Promise<unknown> {
    const [first] = params
    const answer = chain.instead(method, (first as { data?: Hex } | undefined)?.data)
    if (answer) return answer
    switch (method) {
      case 'eth_accounts':
        return [intent.account]
      case 'eth_chainId':
        return numberToHex(intent.chainId)
      case 'eth_blockNumber':
        return numberToHex(chain.block)
      case 'eth_getTransactionCount':
        return '0x7'
      case 'eth_getCode':
        return '0x'
      case 'eth_getBalance':
        return '0x1'
      case 'eth_getBlockByNumber':
        return { timestamp: '0x1', transactions: [] }
      case 'eth_call':
        return contract(first as { data: Hex })
      case 'eth_getLogs':
        return logs(first as { fromBlock: Hex; toBlock: Hex })
      case 'eth_getTransactionReceipt': {
        const block = chain.deposits.get(first as Hex)
        return block === undefined
          ? null
          : { status: '0x1', blockNumber: numberToHex(block), blockHash: pad(numberToHex(block)) }
      }
      case 'eth_getTransactionByHash': {
        const nonce = chain.waiting.get(first as Hex)
        return nonce === undefined
          ? null
          : { from: intent.account, to: intent.vault, input: '0x', nonce: numberToHex(nonce) }
      }
      case 'eth_sendTransaction':
        chain.sent.push(first)
        return chain.onSend()
      default:
        throw { code: -32601, message: `${method} is not scripted` }
    }
  }
  const wallet: Wallet = { id: 'scripted', brand: 'other', name: 'Scripted Wallet', icon: null, provider: { request } }
  return { chain, wallet }
}
