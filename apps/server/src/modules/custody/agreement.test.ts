import { pad } from 'viem'
import { describe, expect, it } from 'vitest'
import { divideCredits, ofPayouts } from './agreement.ts'
import { readLogs } from './rules.ts'
import { address, inTransaction, pool, transfer, vaultEvent } from './testing/logs.ts'

const sent = (...amounts: bigint[]) =>
  readLogs(inTransaction(amounts.map((amount) => transfer('USDT', address(1), pool.vault, amount))), pool, new Set())
    .movements
const none = { USDT: 0n, BTN: 0n, BTC: 0n }

const divided = (amounts: bigint[], above: bigint | undefined, daySum: bigint | undefined, already = 0n) => {
  const bounds = {
    above: above === undefined ? {} : { USDT: above },
    daySum: daySum === undefined ? {} : { USDT: daySum },
  }
  const { alone, needSecond } = divideCredits(sent(...amounts), bounds, { ...none, USDT: already })
  return [alone.map(({ amount }) => amount), needSecond.map(({ amount }) => amount)]
}

describe('a credit', () => {
  it('needs no second node where nothing is bounded', () => {
    expect(divided([1n, 10n ** 30n], undefined, undefined)).toEqual([[1n, 10n ** 30n], []])
  })

  it('needs one above the bound, and not at it', () => {
    expect(divided([10n, 11n, 9n], 10n, undefined)).toEqual([[10n, 9n], [11n]])
  })

  it('needs one beyond the day’s sum, to which only what was credited alone counts', () => {
    expect(divided([5n, 6n, 5n, 1n], undefined, 10n)).toEqual([
      [5n, 5n],
      [6n, 1n],
    ])
    expect(divided([5n], undefined, 10n, 6n)).toEqual([[], [5n]])
  })
})

describe('what is said of payouts', () => {
  it('is what was paid, skipped and repeated, and no deposit', () => {
    const id = pad('0x1')
    const payout = { id, to: address(2), token: pool.tokens.USDT.address, amount: 7n }
    const logs = inTransaction([
      transfer('USDT', address(1), pool.vault, 5n),
      transfer('USDT', pool.vault, address(2), 7n),
      vaultEvent('PayoutReleased', payout),
      vaultEvent('PayoutSkipped', { id, reason: 1 }),
      vaultEvent('PayoutRepeated', { id }),
    ])
    const told = ofPayouts(readLogs(logs, pool, new Set()))
    expect(told.map(({ log }) => log.logIndex - (logs[0]?.logIndex ?? 0))).toEqual([2, 3, 4])
  })
})
