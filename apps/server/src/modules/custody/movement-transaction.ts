import { MAX_UNITS, units } from '@lode/kernel'
import type { Address, Hex } from 'viem'
import { amountOf, type Transaction } from '../ledger/index.ts'
import type { Movement, PayoutMovement } from './interpret-logs.ts'

/** The reason why the ledger cannot post a movement. Its asset stops because of it. */
export type UnpostableMovement = { readonly unpostable: string }

/**
 * The ledger transaction for a final log. Its key identifies the log and its terms are the log's content. So a second
 * reading counts as a repetition, even if the sender has registered meanwhile and the moves differ.
 */
export function buildMovementTransaction(
  movement: Exclude<Movement, PayoutMovement>,
  chainId: number,
  memberOf: (address: Address) => bigint | undefined,
): Transaction | UnpostableMovement {
  const { tx, logIndex } = movement.log
  const { asset } = movement
  if (movement.amount > MAX_UNITS)
    return { unpostable: `${movement.amount} smallest units of ${asset} are more than the ledger can hold` }
  const moved = amountOf(asset, movement.amount)
  const log = { key: chainLogKey(chainId, tx, logIndex), terms: chainLogTerms(movement) }

  const intoSuspense = (from: 'custody:vault' | 'custody:cold', address: Address): Transaction => {
    const to = { kind: 'suspense:address', address } as const
    return { ...log, type: 'suspenseDeposit', moves: [{ ...moved, from, to }] }
  }

  /** Credits the member of the address, or suspense if the address is not registered. */
  const creditSender = (address: Address): Transaction => {
    const member = memberOf(address)
    if (member === undefined) return intoSuspense('custody:vault', address)
    const line = { type: 'transferIn', operation: `${tx}:${logIndex}` } as const
    const to = { kind: 'available', member, line } as const
    return { ...log, type: 'deposit', moves: [{ ...moved, from: 'custody:vault', to }] }
  }

  const wrongAsset: UnpostableMovement = { unpostable: `${movement.kind} in ${asset} has no account in the ledger` }
  switch (movement.kind) {
    case 'deposit':
      // Money sent directly to cold storage goes to suspense, and the sweep credits the member later, because the
      // transaction type `deposit` can only debit `custody:vault`.
      return movement.into === 'vault' ? creditSender(movement.from) : intoSuspense('custody:cold', movement.from)
    case 'payment':
      // A payment that settles an order is not passed to this function. Other payments are credited to the payer.
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
    case 'writeOff': {
      const lost = { ...moved, from: 'pool:loss', to: `custody:${movement.place}` } as const
      const arrived = { ...amountOf(asset, movement.arrived), from: 'custody:cold', to: 'custody:vault' } as const
      return { ...log, type: 'writeOff', moves: movement.arrived > 0n ? [lost, arrived] : [lost] }
    }
    case 'burn': {
      if (asset !== 'BTN') return wrongAsset
      const amount = units(asset, movement.amount)
      return { ...log, type: 'burn', moves: [{ asset, amount, from: 'burn:due', to: 'custody:vault' }] }
    }
  }
}

/** The key of a chain log. It can be used once, by any transaction type. */
export const chainLogKey = (chainId: number, tx: Hex, logIndex: number) => `chain:${chainId}:${tx}:${logIndex}` as const

/** The content of the log, independent of the transaction that is posted for it. */
export const chainLogTerms = ({ log }: Movement): string => JSON.stringify([log.address, log.topics, log.data])
