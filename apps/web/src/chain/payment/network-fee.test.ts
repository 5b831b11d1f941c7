import { numberToHex } from 'viem'
import { describe, expect, it } from 'vitest'
import { createChainReader } from './chain-reader.ts'
import { depositCall, orderCall, resetOrApproveCall } from './contracts.ts'
import { estimateNetworkFee, firstTransaction, formatNetworkFee } from './network-fee.ts'
import { intent, orderIntent } from './testing/example.ts'
import { scriptedWallet } from './testing/scripted-wallet.ts'

describe('the transaction whose fee is estimated', () => {
  it('is the first that the wallet is asked for', () => {
    expect(firstTransaction(intent, ['pay'])).toEqual(depositCall(intent, null))
    expect(firstTransaction(orderIntent, ['pay'])).toEqual(orderCall(orderIntent, null))
    expect(firstTransaction(intent, ['approve', 'pay'])).toEqual(resetOrApproveCall(intent, 'approve'))
    expect(firstTransaction(intent, ['reset', 'approve', 'pay'])).toEqual(resetOrApproveCall(intent, 'reset'))
  })

  it('is none if a signature comes first', () => {
    expect(firstTransaction(intent, ['permit', 'pay'])).toBeNull()
  })
})

describe('the estimated network fee', () => {
  type Node = { gas?: unknown; price?: unknown }

  function estimate({ gas = numberToHex(60_000n), price = numberToHex(1_500_000_007n) }: Node) {
    const { chain, wallet } = scriptedWallet()
    const answer = (value: unknown) => (value instanceof Error ? Promise.reject(value) : Promise.resolve(value))
    chain.instead = (method) =>
      method === 'eth_estimateGas' ? answer(gas) : method === 'eth_gasPrice' ? answer(price) : null
    return estimateNetworkFee(createChainReader(wallet.provider), depositCall(intent, null), intent.account)
  }

  it('is gas times price', async () => {
    expect(await estimate({})).toBe(90_000_000_420_000n)
  })

  it.each<[string, Node]>([
    ['refuses to estimate', { gas: new Error('the method eth_estimateGas does not exist') }],
    ['says that the call would revert', { gas: Object.assign(new Error('execution reverted'), { code: 3 }) }],
    ['names no price', { price: new Error('no') }],
    ['answers with something else', { gas: null }],
    ['answers with an empty number', { price: '0x' }],
  ])('is missing if the node %s', async (_what, node) => {
    expect(await estimate(node)).toBeNull()
  })

  it.each([
    [90_000_000_420_000n, '0.000091'],
    [123_000_000_000_000n, '0.00013'],
    [120_000_000_000_000n, '0.00012'],
    [999_000_000_000_000n, '0.001'],
    [1_050_000_000_000_000_000n, '1.1'],
    [7n, '0.000000000000000007'],
    [0n, '0'],
  ])('of %s is shown as %s', (fee, text) => {
    expect(formatNetworkFee(fee, 18)).toBe(text)
  })
})
