import { MAX_UNITS, units } from '@lode/kernel'
import type { Address, Hex } from 'viem'
import { amountOf, type Transaction } from '../ledger/index.ts'
import type { Movement, PayoutMovement } from './rules.ts'

/** Why a movement has no place in the books; the watcher stops on it. */
export type Unbookable = { readonly unbookable: string }

/**
 * The ledger transaction that a final log is. Its key is the log itself, and its terms are what the log says: it is the same
 * log whether its sender has registered meanwhile or not.
 */
export function entryOf(
  movement: Exclude<Movement, PayoutMovement>,
  chainId: number,
  memberOf: (address: Address) => bigint | undefined,
): Transaction | Unbookable {
  const { tx, logIndex } = movement.log
  const { asset } = movement
  if (movement.amount > MAX_UNITS) return { unbookable: `${movement.amount} ${asset} is more than the books can hold` }
  const moved = amountOf(asset, movement.amount)
  const log = { key: keyOf(chainId, tx, logIndex), terms: termsOf(movement) }

  const intoSuspense = (from: 'custody:vault' | 'custody:cold', address: Address): Transaction => {
    const to = { kind: 'suspense:address', address } as const
    return { ...log, type: 'suspenseDeposit', moves: [{ ...moved, from, to }] }
  }

  /** To its member, or into suspense until that address registers. */
  const creditSender = (address: Address): Transaction => {
    const member = memberOf(address)
    if (member === undefined) return intoSuspense('custody:vault', address)
    const line = { type: 'transferIn', operation: `${tx}:${logIndex}` } as const
    const to = { kind: 'available', member, line } as const
    return { ...log, type: 'deposit', moves: [{ ...moved, from: 'custody:vault', to }] }
  }

  const wrongAsset: Unbookable = { unbookable: `${movement.kind} in ${asset} has no account in the books` }
  switch (movement.kind) {
    case 'deposit':
      // Money sent straight to cold storage waits in suspense, from which the sweeper credits members: deposits go to
      // the vault only.
      return movement.into === 'vault' ? creditSender(movement.from) : intoSuspense('custody:cold', movement.from)
    case 'payment':
      // A payment that settles an order does not come here; one that no open order matches is its payer's money.
      return creditSender(movement.from)
    case 'dividendFunding': {
      if (asset !== 'BTC') return wrongAsset
      const amount = units(asset, movement.amount)
      return {
        ...log,
        type: 'dividendFunding',
        moves: [{ asset, amount, from: 'custody:vault', to: 'dividend:funded' }],
      }
    }
    case 'reserveFunding': {
      if (asset !== 'BTN') return wrongAsset
      const amount = units(asset, movement.amount)
      const to = `reserve:${movement.reserve}` as const
      return { ...log, type: 'reserveFunding', moves: [{ asset, amount, from: 'custody:vault', to }] }
    }
    case 'coldMove':
      return { ...log, type: 'coldMove', moves: [{ ...moved, from: 'custody:cold', to: 'custody:vault' }] }
    case 'coldReturn':
      return { ...log, type: 'coldReturn', moves: [{ ...moved, from: 'custody:vault', to: 'custody:cold' }] }
    case 'burn': {
      if (asset !== 'BTN') return wrongAsset
      const amount = units(asset, movement.amount)
      return { ...log, type: 'burn', moves: [{ asset, amount, from: 'burn:due', to: 'custody:vault' }] }
    }
  }
}

/** What comes in and is owed to somebody from then on: what a lying node would invent. */
export const isCredit = (movement: Movement): boolean => {
  switch (movement.kind) {
    case 'deposit':
    case 'payment':
    case 'dividendFunding':
    case 'reserveFunding':
      return true
    case 'coldMove':
    case 'coldReturn':
    case 'burn':
    case 'payout':
      return false
  }
}

/** Spent once, whatever is made of the log. */
export const keyOf = (chainId: number, tx: Hex, logIndex: number) => `chain:${chainId}:${tx}:${logIndex}` as const

/** What the log says, whatever is made of it. */
export const termsOf = ({ log }: Movement): string => JSON.stringify([log.address, log.topics, log.data])
