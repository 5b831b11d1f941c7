import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { testContracts } from '../../testing/contracts.ts'
import type { PayoutRow } from './payout-row.ts'
import {
  chooseBatch,
  chooseTransactionCount,
  findBlockedAssets,
  findPreflightFailure,
  type PreflightFacts,
  type Room,
} from './rules.ts'
import { buildPayoutRow } from './testing/payout-row.ts'

const eachAssetAmount = (of: bigint) => ({ USDT: of, BTN: of, BTC: of })
const room = (cap: bigint, float = cap, wholeCap = cap): Room => ({
  cap: eachAssetAmount(cap),
  float: eachAssetAmount(float),
  wholeCap: eachAssetAmount(wholeCap),
})
const hours = (count: number): Date => new Date(count * 3_600_000)
const NOW = hours(1)
const numbersOf = (rows: readonly { number: bigint }[]) => rows.map(({ number }) => Number(number))

describe('the next batch', () => {
  it('takes payouts that fit, in the order of their requests, up to the vault’s limit', () => {
    const rows = Array.from({ length: 130 }, (_, place) => buildPayoutRow(130 - place))
    const { release, waiting } = chooseBatch(rows, room(10_000n), 100, NOW)
    expect(numbersOf(release)).toEqual(Array.from({ length: 100 }, (_, place) => place + 1))
    expect(waiting).toEqual([])
  })

  it('gives the reason why the others wait: the cap or the vault’s balance', () => {
    const rows = [buildPayoutRow(1), buildPayoutRow(2, { amount: 50n }), buildPayoutRow(3)]
    expect(numbersOf(chooseBatch(rows, room(70n), 100, NOW).release)).toEqual([1, 2, 3])
    expect(chooseBatch(rows, room(40n), 100, NOW)).toMatchObject({
      release: [{ number: 1n }, { number: 3n }],
      waiting: [{ payout: { number: 2n }, waitsFor: 'cap' }],
    })
    expect(chooseBatch(rows, room(1_000n, 15n), 100, NOW)).toMatchObject({
      release: [{ number: 1n }],
      waiting: [
        { payout: { number: 2n }, waitsFor: 'float' },
        { payout: { number: 3n }, waitsFor: 'float' },
      ],
    })
  })

  it('counts each asset separately', () => {
    const rows = [buildPayoutRow(1), buildPayoutRow(2, { asset: 'BTC' })]
    const none = { ...room(100n), cap: { ...eachAssetAmount(100n), USDT: 0n } }
    expect(chooseBatch(rows, none, 100, NOW)).toMatchObject({
      release: [{ asset: 'BTC' }],
      waiting: [{ waitsFor: 'cap' }],
    })
  })

  it('contains a payout that its token refused before only alone, and only when no other can go', () => {
    const goes = (...rows: PayoutRow[]) => numbersOf(chooseBatch(rows, room(100n), 100, NOW).release)
    const [suspect, another] = [buildPayoutRow(2, { tokenFailures: 1 }), buildPayoutRow(5, { tokenFailures: 1 })]
    expect(goes(buildPayoutRow(1), suspect, buildPayoutRow(3))).toEqual([1, 3])
    expect(goes(suspect, buildPayoutRow(3), buildPayoutRow(4))).toEqual([3, 4])
    expect(goes(another, suspect, buildPayoutRow(3, { amount: 101n }))).toEqual([2])
  })

  it('lets smaller payouts pass a large one under the cap for six hours, and then no younger one of its asset', () => {
    const large = buildPayoutRow(2, { amount: 50n, requestedAt: hours(1) })
    const rows = [buildPayoutRow(1), large, buildPayoutRow(3), buildPayoutRow(4, { asset: 'BTC' })]
    const goes = (now: Date, wholeCap: bigint) =>
      numbersOf(chooseBatch(rows, room(40n, 1_000n, wholeCap), 100, now).release)
    expect(goes(hours(7), 100n)).toEqual([1, 3, 4])
    expect(goes(hours(8), 100n)).toEqual([1, 4])
    expect(goes(hours(8), 50n)).toEqual([1, 4])
    expect(goes(hours(8), 49n)).toEqual([1, 3, 4])
    expect(chooseBatch(rows, room(40n, 1_000n, 100n), 100, hours(8)).waiting).toMatchObject([
      { payout: { number: 2n }, waitsFor: 'cap', isNext: true },
      { payout: { number: 3n }, waitsFor: 'cap', isNext: false },
    ])
  })

  it('includes a large payout within a day after that, however many small ones are requested', () => {
    const waiting = [buildPayoutRow(1, { amount: 9_000n })]
    let [left, minute] = [0, 0]
    for (; waiting.some(({ number }) => number === 1n) && minute < 60 * 48; minute += 1) {
      left = Math.min(20_000, left + 20_000 / 1_440)
      const now = hours(minute / 60)
      if (minute % 7 === 0) waiting.push(buildPayoutRow(minute + 2, { amount: 100n, requestedAt: now }))
      const there = room(BigInt(Math.floor(left)), 10n ** 9n, 20_000n)
      for (const paid of chooseBatch(waiting, there, 100, now).release) {
        left -= Number(paid.amount)
        waiting.splice(waiting.indexOf(paid), 1)
      }
    }
    expect(minute).toBeLessThan(60 * 30)
  })

  it('never exceeds the room, and is empty only if every payout waits', () => {
    const rows = fc.array(
      fc.record({ amount: fc.bigInt(1n, 60n), asset: fc.constantFrom('USDT', 'BTN', 'BTC'), failures: fc.nat(1) }),
      { maxLength: 40 },
    )
    const of = fc.bigInt(0n, 200n)
    fc.assert(
      fc.property(rows, of, of, fc.integer({ min: 1, max: 20 }), (given, cap, float, most) => {
        const payouts = given.map((one, place) =>
          buildPayoutRow(place, { amount: one.amount, asset: one.asset as 'USDT', tokenFailures: one.failures }),
        )
        const { release, waiting } = chooseBatch(payouts, room(cap, float), most, NOW)
        for (const asset of ['USDT', 'BTN', 'BTC']) {
          const sum = release.reduce((total, one) => (one.asset === asset ? total + one.amount : total), 0n)
          expect(sum <= cap && sum <= float).toBe(true)
        }
        expect(release.length).toBeLessThanOrEqual(most)
        expect(release.length === 1 || release.every(({ tokenFailures }) => tokenFailures === 0)).toBe(true)
        expect(release.length === 0 && waiting.length < payouts.length).toBe(false)
      }),
    )
  })
})

describe('the payer’s number of mined transactions', () => {
  const last = { signed: 6n, ended: 3n }

  it('is what two nodes say, so that one node cannot make a release look mined', () => {
    expect(chooseTransactionCount([4n, 7n, 5n], last, 3)).toBe(5n)
    expect(chooseTransactionCount([7n, 6n], last, 2)).toBe(6n)
    expect(chooseTransactionCount([5n], last, 3)).toBe(5n)
  })

  it('is not that of a node which is behind a final transaction', () => {
    expect(chooseTransactionCount([3n, 7n], last, 2)).toBe(7n)
    expect(chooseTransactionCount([0n, 3n, 4n], last, 3)).toBe(4n)
    expect(chooseTransactionCount([4n, 7n], last, 2)).toBe(4n)
    expect(chooseTransactionCount([2n, 3n], last, 2)).toBe(2n)
  })

  it('is above the number signed here only if two of several nodes report it', () => {
    expect(chooseTransactionCount([9n, 7n], last, 2)).toBe(7n)
    expect(chooseTransactionCount([9n, 8n, 7n], last, 3)).toBe(8n)
    expect(chooseTransactionCount([9n], last, 2)).toBeNull()
    expect(chooseTransactionCount([8n], last, 2)).toBeNull()
    expect(chooseTransactionCount([7n], last, 2)).toBe(7n)
    expect(chooseTransactionCount([], last, 1)).toBeNull()
    expect(chooseTransactionCount([9n], last, 1)).toBe(9n)
  })
})

describe('nothing is signed', () => {
  const books = {
    stopped: null,
    readAgain: false,
    postedNumber: 90n,
    postedTime: new Date(1_000_000),
    vault: eachAssetAmount(5n),
  }
  const fine: PreflightFacts = {
    ledger: books,
    held: eachAssetAmount(5n),
    assetStops: new Map(),
    finalizedTime: new Date(1_100_000),
    paused: false,
    mayPay: true,
    payer: '0xpayer',
  }

  it.each<[string, Partial<PreflightFacts>, string]>([
    ['with a key that is no payer', { mayPay: false }, '0xpayer is not a payer'],
    ['before the ledger of this chain begins', { ledger: null }, 'has not started the ledger'],
    ['while the watcher is stopped', { ledger: { ...books, stopped: 'money left' } }, 'stopped: money left'],
    ['while the chain is read again', { ledger: { ...books, readAgain: true } }, 'read again'],
    ['while the ledger is far behind the chain', { finalizedTime: new Date(1_601_000) }, '601 seconds behind'],
    ['while it is both paused and read again', { paused: true, ledger: { ...books, readAgain: true } }, 'read again'],
    ['if the node has dropped the state of the block', { held: null }, 'does not know'],
    ['while the vault is paused', { paused: true }, 'paused'],
  ])('%s', (_when, change, words) => {
    expect(findPreflightFailure(fine)).toBeNull()
    expect(findPreflightFailure({ ...fine, finalizedTime: new Date(1_600_000) })).toBeNull()
    expect(findPreflightFailure({ ...fine, ...change })).toContain(words)
  })

  it('of an asset in which ledger and vault differ, or that the worker has stopped; the others are paid', () => {
    expect(findBlockedAssets(fine, testContracts)).toEqual(new Map())
    const differing = { ...fine, held: { ...eachAssetAmount(5n), BTC: 4n } }
    expect(findPreflightFailure(differing)).toBeNull()
    expect(findBlockedAssets(differing, testContracts)).toEqual(
      new Map([['BTC', 'at block 90 the vault holds 0.00000004 BTC, but by the ledger 0.00000005 BTC']]),
    )
    expect(findBlockedAssets({ ...fine, assetStops: new Map([['USDT', 'money left']]) }, testContracts)).toEqual(
      new Map([['USDT', 'the worker has stopped USDT: money left']]),
    )
  })
})
