import type { Asset } from '@lode/kernel'
import {
  type Address,
  createPublicClient,
  createTestClient,
  createWalletClient,
  erc20Abi,
  formatUnits,
  http,
  type LocalAccount,
  maxUint256,
  parseEther,
  parseUnits,
  toHex,
} from 'viem'
import { foundry } from 'viem/chains'
import type { BrowserStack } from './stack.ts'

export const decimals: Readonly<Record<Asset, number>> = { USDT: 6, BTN: 18, BTC: 8 }

const unitsOf = (symbol: Asset, amount: string): bigint => parseUnits(amount, decimals[symbol])

export const tokenOf = ({ contracts }: BrowserStack, symbol: Asset): Address =>
  ({ USDT: contracts.usdt, BTN: contracts.btn, BTC: contracts.btc })[symbol]

/**
 * For a step of a payment, which takes several looks at the chain and, with WalletConnect, the way through the relay. A
 * busy machine took longer than 15 s.
 */
export const LONG_TIMEOUT = { timeout: 30_000 }

type Coins = { readonly [A in Asset]?: string }

/** Gives a wallet coins, and ether for fees, which only a development chain can create. */
export async function giveCoins(stack: BrowserStack, to: Address, coins: Coins): Promise<void> {
  await callNode(stack, 'anvil_setBalance', [to, toHex(parseEther('10'))])
  for (const [symbol, amount] of Object.entries(coins) as [Asset, string][]) {
    await callNode(stack, 'anvil_dealERC20', [to, tokenOf(stack, symbol), toHex(unitsOf(symbol, amount))])
  }
}

/** The balance of an address on the chain. */
export const readBalance = (stack: BrowserStack, symbol: Asset, owner: Address): Promise<bigint> =>
  createPublicClient({ transport: http(stack.chain.rpcUrl) }).readContract({
    address: tokenOf(stack, symbol),
    abi: erc20Abi,
    functionName: 'balanceOf',
    args: [owner],
  })

/** The vault's balance, formatted as the screens do. */
export async function readVaultBalance(stack: BrowserStack, symbol: Asset): Promise<string> {
  const held = await readBalance(stack, symbol, stack.contracts.vault)
  const [whole = '', fraction = ''] = formatUnits(held, decimals[symbol]).split('.')
  return `${whole.replace(/\B(?=(\d{3})+$)/g, ',')}.${fraction.padEnd(symbol === 'BTC' ? 8 : 2, '0')}`
}

/** The vault's allowance from an account. */
export const readAllowance = (stack: BrowserStack, symbol: Asset, owner: Address): Promise<bigint> =>
  createPublicClient({ transport: http(stack.chain.rpcUrl) }).readContract({
    address: tokenOf(stack, symbol),
    abi: erc20Abi,
    functionName: 'allowance',
    args: [owner, stack.contracts.vault],
  })

/** Gives the vault an unlimited allowance, as some wallets and other sites do. The app itself never asks for it. */
export async function approveUnlimited(stack: BrowserStack, symbol: Asset, account: LocalAccount): Promise<void> {
  const { rpcUrl, chainId } = stack.chain
  const client = createWalletClient({ account, chain: { ...foundry, id: chainId }, transport: http(rpcUrl) })
  const args = [stack.contracts.vault, maxUint256] as const
  const approval = { address: tokenOf(stack, symbol), abi: erc20Abi, functionName: 'approve', args } as const
  const hash = await client.writeContract(approval)
  await createPublicClient({ transport: http(rpcUrl) }).waitForTransactionReceipt({ hash, pollingInterval: 50 })
  if ((await readAllowance(stack, symbol, account.address)) !== maxUint256) throw new Error('The allowance is limited')
}

/** Mines enough blocks to make the present one final. */
export const makeFinal = (stack: BrowserStack): Promise<unknown> => callNode(stack, 'anvil_mine', [toHex(4)])

export async function callNode(stack: BrowserStack, method: string, params: readonly unknown[] = []): Promise<unknown> {
  const anvil = createTestClient({ mode: 'anvil', transport: http(stack.chain.rpcUrl) })
  const request = anvil.request as (call: { method: string; params: readonly unknown[] }) => Promise<unknown>
  return request({ method, params })
}
