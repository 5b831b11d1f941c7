import { btnTokenAbi, poolVaultAbi } from '@lode/contracts'
import { batchWalletAbi } from '@lode/contracts/dev'
import { type Address, encodeFunctionData, type Hex, parseUnits } from 'viem'
import type { Random } from '../random.ts'
import type { World } from '../world.ts'
import type { Actor } from './actor.ts'

export type Call = { readonly target: Address; readonly data: Hex }
export type Money = { readonly symbol: string; readonly token: Address; readonly amount: bigint }

/** Sends calls for an actor: a contract wallet sends all in one transaction, a plain account one by one. */
export async function sendCalls(world: World, actor: Actor, calls: readonly Call[]): Promise<void> {
  if (actor.kind === 'contract') {
    const data = encodeFunctionData({ abi: batchWalletAbi, functionName: 'executeBatch', args: [calls] })
    await world.chain.send(actor.key, { to: actor.account, data })
    return
  }
  for (const { target, data } of calls) await world.chain.send(actor.key, { to: target, data })
}

export const depositCall = (vault: Address, { token, amount }: Money): Call => ({
  target: vault,
  data: encodeFunctionData({ abi: poolVaultAbi, functionName: 'deposit', args: [token, amount] }),
})

export const transferCall = (to: Address, { token, amount }: Money): Call => ({
  target: token,
  data: encodeFunctionData({ abi: btnTokenAbi, functionName: 'transfer', args: [to, amount] }),
})

/**
 * For each token: the smallest amount, some that repeat, and one so large that a single node is not enough to credit
 * it.
 */
const AMOUNTS = {
  USDT: { decimals: 6, sizes: ['0.000001', '1', '1', '12.5', '100', '800'] },
  BTN: { decimals: 18, sizes: ['0.000000000000000001', '10', '10', '2500', '70000'] },
  BTC: { decimals: 8, sizes: ['0.00000001', '0.001', '0.001', '0.02', '0.9'] },
} as const

export function drawMoney(world: World, random: Random): Money {
  const { usdt, btn, btc } = world.chain.contracts
  const symbol = random.pick(['USDT', 'BTN', 'BTC'] as const)
  const { decimals, sizes } = AMOUNTS[symbol]
  const token = { USDT: usdt, BTN: btn, BTC: btc }[symbol]
  return { symbol, token, amount: parseUnits(random.pick<string>(sizes), decimals) }
}

export const describeMoney = ({ symbol, amount }: Money): string => `${amount} ${symbol}`
