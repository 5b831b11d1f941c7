import { units } from '@lode/kernel'
import { describe, expect, it } from 'vitest'
import { encodeBatch } from './batch.ts'
import type { Transaction } from './transaction.ts'

const usdt = (value: number) => units('USDT', BigInt(value))
const line = (type: 'promotionReward' | 'upLevelReward' | 'upLevelByBalance', operation = 'o1') =>
  ({ type, operation }) as const
const names = [
  ...(['accounts', 'addresses', 'members', 'keys', 'hashes', 'types', 'legTransactions', 'legAccounts'] as const),
  ...(['legAmounts', 'legLines', 'lineTypes', 'lineOperations', 'lineFees'] as const),
]
const encodeWithNames = (...transactions: Transaction[]) =>
  Object.fromEntries(encodeBatch(transactions).map((list, index) => [names[index], list]))

const promotion: Transaction = {
  type: 'promotionByBalance',
  member: 9n,
  key: 'o1:settle',
  moves: [
    {
      asset: 'USDT',
      amount: usdt(65),
      from: { kind: 'frozenOrder', member: 9n, line: line('upLevelByBalance') },
      to: 'pool:mining',
    },
    {
      asset: 'USDT',
      amount: usdt(10),
      from: { kind: 'frozenOrder', member: 9n, line: line('upLevelByBalance') },
      to: { kind: 'available', member: 4n, line: line('promotionReward') },
    },
    {
      asset: 'USDT',
      amount: usdt(2),
      from: { kind: 'frozenOrder', member: 9n, line: line('upLevelByBalance') },
      to: { kind: 'available', member: 4n, line: line('upLevelReward') },
    },
  ],
}

describe('a batch', () => {
  it('merges moves of one account and line into one leg, with credits first', () => {
    expect(encodeWithNames(promotion)).toMatchObject({
      // pool:mining, available of member 4, frozenOrder of member 9: sorted by account number.
      accounts: `{${[(12 << 8) | 64, (4 << 14) | (1 << 8) | 64, (9 << 14) | (3 << 8) | 64].join(',')}}`,
      legAmounts: '{65,10,2,-77}',
      legAccounts: '{1,2,2,3}',
      legLines: '{0,2,3,1}',
      lineTypes: '{3,4,5}',
      members: '{9}',
    })
  })

  it('leaves out moves of zero', () => {
    const [first, ...rest] = promotion.moves
    if (first?.asset !== 'USDT') throw new Error('the first movement is of USDT')
    const empty = { ...promotion, moves: [...rest, { ...first, amount: usdt(0) }] } as Transaction
    expect(encodeWithNames(empty).legAmounts).toBe('{10,2,-12}')
  })

  it('refuses a line with two fees', () => {
    const ends = (fee: bigint) => ({ type: 'transferOut', operation: 't', fee: units('USDT', fee) }) as const
    const twice: Transaction = {
      type: 'transferRequest',
      member: 1n,
      key: 't',
      moves: [
        {
          asset: 'USDT',
          amount: usdt(5),
          from: { kind: 'available', member: 1n, line: ends(1n) },
          to: { kind: 'frozenOut', member: 1n, line: ends(2n) },
        },
      ],
    }
    expect(() => encodeBatch([twice])).toThrow(/two fees/)
  })

  it('escapes special characters in keys', () => {
    const odd = { ...promotion, key: 'a"b\\c,{d}' } as Transaction
    expect(encodeWithNames(odd).keys).toBe('{"a\\"b\\\\c,{d}"}')
  })

  it('hashes the terms if there are any, and otherwise the moves', () => {
    const hashes = (transaction: Transaction) => encodeWithNames(transaction).hashes
    expect(hashes({ ...promotion, key: 'other' } as Transaction)).toBe(hashes(promotion))
    expect(hashes({ ...promotion, terms: 'x' } as Transaction)).not.toBe(hashes(promotion))
    expect(hashes({ ...promotion, terms: 'x', moves: [] } as Transaction)).toBe(
      hashes({ ...promotion, terms: 'x' } as Transaction),
    )
    expect(hashes({ ...promotion, moves: promotion.moves.slice(1) } as Transaction)).not.toBe(hashes(promotion))
  })
})

/** Cases that must not compile. `pnpm check` fails if one of them does. */
describe('the compiler', () => {
  type Deposit = Extract<Transaction, { type: 'deposit' }>
  type Funding = Extract<Transaction, { type: 'dividendFunding' }>
  const from = 'custody:vault'
  const to = { kind: 'available', member: 1n, line: { type: 'transferIn', operation: 'o' } } as const

  it('rejects transactions that the chart does not allow', () => {
    const sound: Deposit['moves'][number] = { asset: 'USDT', amount: usdt(1), from, to }
    // @ts-expect-error a deposit credits members, not the pool
    const toPool: Deposit['moves'][number] = { ...sound, to: 'pool:mining' }
    // @ts-expect-error the amount is of another asset
    const otherAsset: Deposit['moves'][number] = { asset: 'BTC', amount: usdt(1), from, to }
    // @ts-expect-error what a member can see has a line
    const unlogged: Deposit['moves'][number] = { ...sound, to: { kind: 'available', member: 1n } }
    const outgoing = { type: 'transferOut', operation: 'o' } as const
    // @ts-expect-error a deposit is not in the log as a transfer out
    const asTransfer: Deposit['moves'][number] = { ...sound, to: { ...to, line: outgoing } }
    // @ts-expect-error dividends are in bitcoin
    const inDollars: Funding['moves'][number] = { asset: 'USDT', amount: usdt(1), from, to: 'dividend:funded' }
    // @ts-expect-error the key of a deposit is a log of the chain
    const keyless: Deposit = { type: 'deposit', key: 'day:1', moves: [] }
    // @ts-expect-error a request is a member's
    const ownerless: Transaction = { type: 'transferRequest', key: 'k', moves: [] }
    expect([toPool, otherAsset, unlogged, asTransfer, inDollars, keyless, ownerless]).toHaveLength(7)
  })
})
