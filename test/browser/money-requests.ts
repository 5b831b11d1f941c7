import { poolVaultAbi } from '@lode/contracts'
import type { Asset } from '@lode/kernel'
import { type Address, decodeFunctionData, erc20Abi, formatUnits, type Hex, toHex } from 'viem'
import { decimals, tokenOf } from './chain.ts'
import type { BrowserStack } from './stack.ts'
import type { MemberWallet, WalletRequest } from './wallet.ts'

/**
 * The wallet's requests to sign or send, as text: `approve 100 USDT`, `permit 5 BTN`, `deposit 0.1 BTC`, `pay 100
 * USDT`. Throws on any other request, another contract, another spender than the vault, or a call with value: a wallet
 * is never asked for more.
 */
export function moneyRequests(stack: BrowserStack, wallet: MemberWallet): string[] {
  return wallet.requests
    .filter(({ method }) => /^eth_(?:send|sign)|^wallet_sendCalls$/.test(method))
    .map((request) => describeRequest(stack, wallet, request))
}

const symbols: readonly Asset[] = ['USDT', 'BTN', 'BTC']

function describeRequest(stack: BrowserStack, wallet: MemberWallet, { method, params }: WalletRequest): string {
  const { vault } = stack.contracts
  const symbolOf = (token: string): Asset => {
    const symbol = symbols.find((one) => isSameAddress(tokenOf(stack, one), token))
    if (!symbol) throw new Error(`The wallet was asked about a foreign token: ${token}`)
    return symbol
  }
  const describeAmount = (what: string, token: string, units: bigint) => {
    const symbol = symbolOf(token)
    return `${what} ${formatUnits(units, decimals[symbol])} ${symbol}`
  }

  if (method === 'eth_signTypedData_v4') {
    const [account, text] = params as [Address, string]
    const { primaryType, domain, message } = JSON.parse(text)
    const isPermit =
      primaryType === 'Permit' && isSameAddress(message.owner, wallet.address) && isSameAddress(account, wallet.address)
    if (!isPermit || !isSameAddress(message.spender, vault) || domain.chainId !== stack.chain.chainId)
      throw new Error(`The wallet was asked for a foreign signature: ${text}`)
    const lifetimeSeconds = Number(message.deadline) - Date.now() / 1_000
    if (lifetimeSeconds > 2 * 3_600)
      throw new Error(`The wallet was asked for a permit that lives ${lifetimeSeconds} seconds`)
    return describeAmount('permit', domain.verifyingContract, BigInt(message.value))
  }
  if (method !== 'eth_sendTransaction') throw new Error(`The wallet was asked for ${method}`)

  const [{ from, to, data, chainId, ...more }] = params as [{ from: Address; to: Address; data: Hex; chainId: Hex }]
  if (chainId !== toHex(stack.chain.chainId))
    throw new Error(`The wallet was asked to send on another chain: ${chainId}`)
  if (!isSameAddress(from, wallet.address) || Object.keys(more).length > 0)
    throw new Error(`The wallet was asked to send more than a call: ${JSON.stringify(params)}`)
  if (isSameAddress(to, vault)) {
    const { functionName, args } = decodeFunctionData({ abi: poolVaultAbi, data })
    if (functionName === 'pay' || functionName === 'payWithPermit') {
      const [{ payer, token, amount }] = args
      if (!isSameAddress(payer, wallet.address)) throw new Error(`The wallet was asked to pay for another: ${payer}`)
      return describeAmount(functionName, token, amount)
    }
    if (functionName !== 'deposit' && functionName !== 'depositWithPermit')
      throw new Error(`The wallet was asked to call ${functionName}`)
    return describeAmount(functionName, args[0], args[1])
  }
  const { functionName, args } = decodeFunctionData({ abi: erc20Abi, data })
  if (functionName !== 'approve' || !isSameAddress(args[0], vault))
    throw new Error(`The wallet was asked to call ${functionName} of ${to} with ${args}`)
  return describeAmount('approve', to, args[1])
}

const isSameAddress = (left: string, right: string): boolean => left.toLowerCase() === right.toLowerCase()
