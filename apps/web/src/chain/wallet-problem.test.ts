import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { walletProblemOf } from './wallet-problem.ts'

describe('an error of a wallet', () => {
  it.each([
    ['refused', { code: 4001, message: 'User rejected the request.' }],
    ['refused', { code: '4001' }],
    ['refused', { code: 'ACTION_REJECTED', info: { error: { code: 4001 } } }],
    ['refused', { code: -32603, data: { originalError: { code: 4001 } } }],
    ['refused', Object.assign(new Error('outer'), { cause: { cause: { code: 4001 } } })],
    ['refused', { code: -32000, message: 'User denied message signature' }],
    ['refused', new Error('Request was rejected by user')],
    ['refused', 'User canceled'],
    ['refused', { message: '用户拒绝了请求' }],
    ['refused', { message: '使用者取消' }],
    ['pending', { code: -32002, message: 'Already processing eth_requestAccounts. Please wait.' }],
    ['pending', { message: "Request of type 'wallet_requestPermissions' already pending" }],
    ['disconnected', { code: 4900 }],
    ['disconnected', { code: 4901 }],
    ['chain-unknown', { code: 4902 }],
    ['chain-unknown', { code: -32603, data: { originalError: { code: 4902 } } }],
    ['chain-unknown', { code: -32603, message: 'Unrecognized chain ID "0x7a69". Try adding the chain' }],
    ['unsupported', { code: 4200 }],
    ['unsupported', { code: -32601, message: 'The method does not exist' }],
    ['other', { code: 4100 }],
    ['other', { code: -32603, message: 'Internal JSON-RPC error.' }],
    ['other', new Error('boom')],
    ['other', undefined],
    ['other', null],
    ['other', 42],
  ])('is %s: %j', (problem, thrown) => {
    expect(walletProblemOf(thrown)).toBe(problem)
  })

  it('may be its own cause', () => {
    const error = new Error('round and round')
    error.cause = error
    expect(walletProblemOf(error)).toBe('other')
  })

  it('may throw when its properties are read', () => {
    const hostile = new Proxy(new Error('x'), {
      get() {
        throw new Error('hands off')
      },
    })
    expect(walletProblemOf(hostile)).toBe('other')
  })

  it('may be anything at all', () => {
    fc.assert(
      fc.property(fc.anything(), (thrown) => {
        expect(typeof walletProblemOf(thrown)).toBe('string')
      }),
    )
  })
})
