import { units } from '@lode/kernel'
import { describe, expect, it } from 'vitest'
import { encodeFastPost, isFastPostable } from './fast-post.ts'
import type { Transaction } from './transaction.ts'

const usdt = (value: number) => units('USDT', BigInt(value))
const line = { type: 'upLevelByBalance', operation: 'o1' } as const

type ReserveOptions = { amount?: number; from?: bigint; member?: bigint; operation?: string; fee?: number }
function orderReserve({ amount = 5, from = 7n, member = 7n, operation = 'o1', fee }: ReserveOptions = {}): Transaction {
  const ofDebit = { ...line, ...(fee === undefined ? {} : { fee: usdt(fee) }) }
  return {
    type: 'orderReserve',
    member,
    key: 'o1',
    moves: [
      {
        asset: 'USDT',
        amount: usdt(amount),
        from: { kind: 'available', member: from, line: ofDebit },
        to: { kind: 'frozenOrder', member: 7n, line: { ...line, operation } },
      },
    ],
  }
}

describe('the fast path of posting', () => {
  it('encodes the member, the key, the move and the log line that it begins', () => {
    const [available, frozenOrder] = [(1n << 8n) | 64n, (3n << 8n) | 64n]
    expect(encodeFastPost(orderReserve())).toEqual([
      7n,
      'o1',
      expect.any(Buffer),
      10,
      available,
      frozenOrder,
      5n,
      3,
      'o1',
    ])
  })

  it('encodes a deposit, which has a system key', () => {
    const to = { kind: 'available', member: 7n, line: { type: 'transferIn', operation: '0xab:1' } } as const
    const moves = [{ asset: 'USDT', amount: usdt(5), from: 'custody:vault', to }] as const
    const encoded = encodeFastPost({ type: 'deposit', key: 'chain:1:0xab:1', moves })
    expect(encoded).toEqual([7n, 'chain:1:0xab:1', expect.any(Buffer), 1, 2112n, 320n, 5n, 1, '0xab:1'])
  })

  it('is not used for a transaction that it cannot check', () => {
    const pledge: Transaction = {
      type: 'pledgeByBalance',
      member: 7n,
      key: 'p1',
      moves: [
        {
          asset: 'BTN',
          amount: units('BTN', 5n),
          to: { kind: 'pledged', member: 7n },
          from: { kind: 'frozenOrder', member: 7n, line: { type: 'createPledge', operation: 'o1' } },
        },
      ],
    }
    const twice: Transaction = {
      ...orderReserve(),
      moves: [...orderReserve().moves, ...orderReserve().moves],
    } as Transaction
    const others = [{ amount: 0 }, { from: 8n }, { member: 8n }, { operation: 'o2' }, { fee: 1 }].map(orderReserve)
    for (const transaction of [pledge, twice, ...others]) expect(encodeFastPost(transaction)).toBeNull()
  })

  it('is not used for a log line with a fee', () => {
    const request = (fee: number): Transaction => {
      const out = { type: 'transferOut', operation: 't1', fee: usdt(fee) } as const
      const from = { kind: 'available', member: 7n, line: out } as const
      const to = { kind: 'frozenOut', member: 7n, line: out } as const
      return { type: 'transferRequest', member: 7n, key: 't1', moves: [{ asset: 'USDT', amount: usdt(5), from, to }] }
    }
    expect([encodeFastPost(request(0)) === null, encodeFastPost(request(1)) === null]).toEqual([false, true])
  })

  it('is not used for a type that needs further checks: of the address, of other members, of what it undoes', () => {
    expect(isFastPostable('deposit', 'custody:vault', 'available')).toBe(true)
    expect(isFastPostable('suspenseCredit', 'suspense:address', 'available')).toBe(false)
    expect(isFastPostable('promotionPaid', 'custody:vault', 'available')).toBe(false)
  })
})
