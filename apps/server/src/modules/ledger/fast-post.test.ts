import { units } from '@lode/kernel'
import { describe, expect, it } from 'vitest'
import { encodeFastPost } from './fast-post.ts'
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
})
