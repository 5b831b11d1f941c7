import { pad } from 'viem'
import { describe, expect, it } from 'vitest'
import { divideCredits, selectPayoutLogs } from './agreement.ts'
import { interpretLogs } from './interpret-logs.ts'
import { address, placeInTransaction, pool, transferLog, vaultEventLog } from './testing/logs.ts'

const depositsOf = (...amounts: bigint[]) =>
  interpretLogs(
    placeInTransaction(amounts.map((amount) => transferLog('USDT', address(1), pool.vault, amount))),
    pool,
    new Set(),
  ).movements
const noSums = { USDT: 0n, BTN: 0n, BTC: 0n }

const divideAmounts = (amounts: bigint[], above: bigint | undefined, daySum: bigint | undefined, already = 0n) => {
  const bounds = {
    above: above === undefined ? {} : { USDT: above },
    daySum: daySum === undefined ? {} : { USDT: daySum },
  }
  const { singleSource, needSecond } = divideCredits(depositsOf(...amounts), bounds, { ...noSums, USDT: already })
  return [singleSource.map(({ amount }) => amount), needSecond.map(({ amount }) => amount)]
}

describe('a credit', () => {
  it('needs no second node if no limit is set', () => {
    expect(divideAmounts([1n, 10n ** 30n], undefined, undefined)).toEqual([[1n, 10n ** 30n], []])
  })

  it('needs a second node above the limit, and not at it', () => {
    expect(divideAmounts([10n, 11n, 9n], 10n, undefined)).toEqual([[10n, 9n], [11n]])
  })

  it('needs a second node above the day’s sum, which counts only credits of a single node', () => {
    expect(divideAmounts([5n, 6n, 5n, 1n], undefined, 10n)).toEqual([
      [5n, 5n],
      [6n, 1n],
    ])
    expect(divideAmounts([5n], undefined, 10n, 6n)).toEqual([[], [5n]])
  })
})

describe('payout logs', () => {
  it('are those of paid, skipped and repeated payouts, not of deposits', () => {
    const id = pad('0x1')
    const payout = { id, to: address(2), token: pool.tokens.USDT.address, amount: 7n }
    const logs = placeInTransaction([
      transferLog('USDT', address(1), pool.vault, 5n),
      transferLog('USDT', pool.vault, address(2), 7n),
      vaultEventLog('PayoutReleased', payout),
      vaultEventLog('PayoutSkipped', { id, reason: 1 }),
      vaultEventLog('PayoutRepeated', { id }),
    ])
    const told = selectPayoutLogs(interpretLogs(logs, pool, new Set()))
    expect(told.map(({ log }) => log.logIndex - (logs[0]?.logIndex ?? 0))).toEqual([2, 3, 4])
  })
})
