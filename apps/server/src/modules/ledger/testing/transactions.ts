import type { Asset, Units } from '@lode/kernel'
import type { Address } from 'viem'
import type { Transaction } from '../transaction.ts'
import { newChainLogKey } from './test-ledger.ts'

/** Common transactions for tests. */

export function deposit<A extends Asset>(
  asset: A,
  member: bigint,
  amount: Units<A>,
  key = newChainLogKey(),
): Transaction {
  const to = { kind: 'available', member, line: { type: 'transferIn', operation: key } } as const
  return { type: 'deposit', key, moves: [{ asset, amount, from: 'custody:vault', to }] } as unknown as Transaction
}

export function transferRequest<A extends Asset>(
  asset: A,
  member: bigint,
  amount: Units<A>,
  operation: string,
): Transaction {
  const line = { type: 'transferOut', operation } as const
  return {
    type: 'transferRequest',
    member,
    key: `${operation}:request`,
    moves: [{ asset, amount, from: { kind: 'available', member, line }, to: { kind: 'frozenOut', member, line } }],
  } as unknown as Transaction
}

export function transferRelease<A extends Asset>(
  asset: A,
  member: bigint,
  amount: Units<A>,
  operation: string,
): Transaction {
  const line = { type: 'transferOut', operation } as const
  return {
    type: 'transferRelease',
    member,
    key: `${operation}:release`,
    moves: [{ asset, amount, from: { kind: 'frozenOut', member, line }, to: { kind: 'available', member, line } }],
  } as unknown as Transaction
}

export function transferPaid<A extends Asset>(
  asset: A,
  member: bigint,
  amount: Units<A>,
  operation: string,
): Transaction {
  const from = { kind: 'frozenOut', member, line: { type: 'transferOut', operation } } as const
  return {
    type: 'transferPaid',
    key: newChainLogKey(),
    moves: [{ asset, amount, from, to: 'custody:vault' }],
  } as unknown as Transaction
}

export const suspenseDeposit = (address: Address, amount: Units<'USDT'>): Transaction => ({
  type: 'suspenseDeposit',
  key: newChainLogKey(),
  moves: [{ asset: 'USDT', amount, from: 'custody:vault', to: { kind: 'suspense:address', address } }],
})

export const suspenseCredit = (address: Address, member: bigint, amount: Units<'USDT'>, key: string): Transaction => ({
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
