import { pad } from 'viem'
import { describe, expect, it } from 'vitest'
import { address } from '../../testing/contracts.ts'
import type { Movement } from './interpret-logs.ts'
import { dividePayments } from './parts-of-run.ts'
import { placeInTransaction, transferLog } from './testing/logs.ts'

const [log] = placeInTransaction([transferLog('USDT', address(1), address(2), 1n)])
if (!log) throw new Error('a log was placed')
let place = 0
const base = (blockNumber: bigint) => {
  place += 1
  return { log: { ...log, blockNumber, logIndex: place }, asset: 'USDT', amount: 1n } as const
}
const payment = (block = 10n): Movement => ({
  ...base(block),
  kind: 'payment',
  from: address(1),
  orderId: pad('0x', { size: 32 }),
})
const funding = (): Movement => ({ ...base(10n), kind: 'reserveFunding', from: address(1), reserve: 'airdrop' })
const burn = (): Movement => ({ ...base(10n), kind: 'burn' })
const deposit = (): Movement => ({ ...base(10n), kind: 'deposit', from: address(1), into: 'vault' })
const payments = (count: number, block = 10n): Movement[] => Array.from({ length: count }, () => payment(block))

/** The places of the payments of each part, in the order in which they are posted. */
const divide = (movements: readonly Movement[]): number[][] =>
  dividePayments(movements).map((part) => Array.from(part, (movement) => movements.indexOf(movement)))

const range = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => from + index)

describe('dividing a run', () => {
  it('leaves it whole if it has at most fifty payments', () => {
    expect(divide([deposit(), ...payments(50), burn(), funding()])).toEqual([])
  })

  it('makes parts of at most fifty payments in chain order', () => {
    const movements = [deposit(), ...payments(50), funding(), ...payments(70, 11n), burn()]
    expect(divide(movements)).toEqual([range(1, 51), range(52, 102), range(102, 122)])
  })
})
