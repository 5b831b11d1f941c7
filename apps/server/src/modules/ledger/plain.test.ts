import { units } from '@lode/kernel'
import { describe, expect, it } from 'vitest'
import { encodePlain } from './plain.ts'
import type { Transaction } from './transaction.ts'

const usdt = (value: number) => units('USDT', BigInt(value))
const line = { type: 'upLevelByBalance', operation: 'o1' } as const

type Reserve = { amount?: number; from?: bigint; member?: bigint; operation?: string; fee?: number }
function reserve({ amount = 5, from = 7n, member = 7n, operation = 'o1', fee }: Reserve = {}): Transaction {
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

describe('the short way', () => {
  it('is given the member, the key, what moves and the line that it begins', () => {
    const [available, frozenOrder] = [(1n << 8n) | 64n, (3n << 8n) | 64n]
    expect(encodePlain(reserve())).toEqual([7n, 'o1', expect.any(Buffer), 10, available, frozenOrder, 5n, 3, 'o1'])
  })

  it('is given a deposit, whose key is the system’s', () => {
    const to = { kind: 'available', member: 7n, line: { type: 'transferIn', operation: '0xab:1' } } as const
    const moves = [{ asset: 'USDT', amount: usdt(5), from: 'custody:vault', to }] as const
    const encoded = encodePlain({ type: 'deposit', key: 'chain:1:0xab:1', moves })
    expect(encoded).toEqual([7n, 'chain:1:0xab:1', expect.any(Buffer), 1, 2112n, 320n, 5n, 1, '0xab:1'])
  })

  it('is not given what it cannot judge', () => {
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
    const twice: Transaction = { ...reserve(), moves: [...reserve().moves, ...reserve().moves] } as Transaction
    const others = [{ amount: 0 }, { from: 8n }, { member: 8n }, { operation: 'o2' }, { fee: 1 }].map(reserve)
    for (const transaction of [pledge, twice, ...others]) expect(encodePlain(transaction)).toBeNull()
  })
})
