import type { Asset, Units } from '@lode/kernel'
import type { Address } from 'viem'
import type { Transaction } from '../transaction.ts'
import { newLog } from './books.ts'

/** Common transactions for tests. */

export function deposit<A extends Asset>(asset: A, member: bigint, amount: Units<A>, key = newLog()): Transaction {
  const to = { kind: 'available', member, line: { type: 'transferIn', operation: key } } as const
  return { type: 'deposit', key, moves: [{ asset, amount, from: 'custody:vault', to }] } as unknown as Transaction
}

export function request<A extends Asset>(asset: A, member: bigint, amount: Units<A>, operation: string): Transaction {
  const line = { type: 'transferOut', operation } as const
  return {
    type: 'transferRequest',
    member,
    key: `${operation}:request`,
    moves: [{ asset, amount, from: { kind: 'available', member, line }, to: { kind: 'frozenOut', member, line } }],
  } as unknown as Transaction
}

export function release<A extends Asset>(asset: A, member: bigint, amount: Units<A>, operation: string): Transaction {
  const line = { type: 'transferOut', operation } as const
  return {
    type: 'transferRelease',
    member,
    key: `${operation}:release`,
    moves: [{ asset, amount, from: { kind: 'frozenOut', member, line }, to: { kind: 'available', member, line } }],
  } as unknown as Transaction
}

export function paid<A extends Asset>(asset: A, member: bigint, amount: Units<A>, operation: string): Transaction {
  const from = { kind: 'frozenOut', member, line: { type: 'transferOut', operation } } as const
  return {
    type: 'transferPaid',
    key: newLog(),
    moves: [{ asset, amount, from, to: 'custody:vault' }],
  } as unknown as Transaction
}

export const fromStranger = (address: Address, amount: Units<'USDT'>): Transaction => ({
  type: 'suspenseDeposit',
  key: newLog(),
  moves: [{ asset: 'USDT', amount, from: 'custody:vault', to: { kind: 'suspense:address', address } }],
})

export const creditSuspense = (address: Address, member: bigint, amount: Units<'USDT'>, key: string): Transaction => ({
  type: 'suspenseCredit',
  member,
  key,
  moves: [
    {
      asset: 'USDT',
      amount,
      from: { kind: 'suspense:address', address },
      to: { kind: 'available', member, line: { type: 'suspenseCredit', operation: key } },
    },
  ],
})
