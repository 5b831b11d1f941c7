import { MAX_UNITS, units } from '@lode/kernel'
import type { Address, Hex } from 'viem'
import type { Transaction } from '../ledger/index.ts'
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
  const amount = units(asset, movement.amount)
  const log = { key: keyOf(chainId, tx, logIndex), terms: termsOf(movement) } as const
  const entry = (type: Transaction['type'], from: unknown, to: unknown): Transaction =>
    // That type, asset and accounts fit together the ledger checks as it posts; the compiler cannot follow it by asset.
    ({ ...log, type, moves: [{ asset, amount, from, to }] }) as unknown as Transaction

  /** To its member, or into suspense for whoever registers that address. */
  const creditSender = (address: Address): Transaction => {
    const member = memberOf(address)
    if (member === undefined) return entry('suspenseDeposit', 'custody:vault', { kind: 'suspense:address', address })
    const line = { type: 'transferIn', operation: `${tx}:${logIndex}` }
    return entry('deposit', 'custody:vault', { kind: 'available', member, line })
  }

  switch (movement.kind) {
    case 'deposit':
      // What somebody sent straight to cold storage waits in suspense, of which the sweeper credits members: only the vault
      // is where deposits go.
      return movement.into === 'vault'
        ? creditSender(movement.from)
        : entry('suspenseDeposit', 'custody:cold', { kind: 'suspense:address', address: movement.from })
    case 'payment':
      // What settles an order does not come here; a payment that no open order matches is its payer's money.
      return creditSender(movement.from)
    case 'dividendFunding':
      return entry('dividendFunding', 'custody:vault', 'dividend:funded')
    case 'reserveFunding':
      return entry('reserveFunding', 'custody:vault', `reserve:${movement.reserve}`)
    case 'coldMove':
      return entry('coldMove', 'custody:cold', 'custody:vault')
    case 'coldReturn':
      return entry('coldReturn', 'custody:vault', 'custody:cold')
    case 'burn':
      return entry('burn', 'burn:due', 'custody:vault')
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
