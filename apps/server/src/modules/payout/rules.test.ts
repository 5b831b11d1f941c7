import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { PayoutRow } from './row.ts'
import {
  believedCount,
  type Fees,
  firstFees,
  higherFees,
  isStrangeCount,
  nextBatch,
  objection,
  type Room,
  type View,
} from './rules.ts'
import { payoutRow } from './testing/rows.ts'

const amount = (of: bigint) => ({ USDT: of, BTN: of, BTC: of })
const room = (cap: bigint, float = cap, wholeCap = cap): Room => ({
  cap: amount(cap),
  float: amount(float),
  wholeCap: amount(wholeCap),
})
const hours = (count: number): Date => new Date(count * 3_600_000)
const NOW = hours(1)
const numbersOf = (rows: readonly { number: bigint }[]) => rows.map(({ number }) => Number(number))

describe('the next batch', () => {
  it('takes what fits, in the order in which it was asked for, and as many as the vault takes at once', () => {
    const rows = Array.from({ length: 130 }, (_, place) => payoutRow(130 - place))
    const { release, waiting } = nextBatch(rows, room(10_000n), 100, NOW)
    expect(numbersOf(release)).toEqual(Array.from({ length: 100 }, (_, place) => place + 1))
    expect(waiting).toEqual([])
  })

  it('says what the others wait for: room under the cap, or money in the vault', () => {
    const rows = [payoutRow(1), payoutRow(2, { amount: 50n }), payoutRow(3)]
    expect(nextBatch(rows, room(40n), 100, NOW)).toMatchObject({
      release: [{ number: 1n }, { number: 3n }],
      waiting: [{ payout: { number: 2n }, waitsFor: 'cap' }],
    })
    expect(nextBatch(rows, room(1_000n, 15n), 100, NOW)).toMatchObject({
      release: [{ number: 1n }],
      waiting: [
        { payout: { number: 2n }, waitsFor: 'float' },
        { payout: { number: 3n }, waitsFor: 'float' },
      ],
    })
  })

  it('keeps the assets apart', () => {
    const rows = [payoutRow(1), payoutRow(2, { asset: 'BTC' })]
    const none = { ...room(100n), cap: { ...amount(100n), USDT: 0n } }
    expect(nextBatch(rows, none, 100, NOW)).toMatchObject({
      release: [{ asset: 'BTC' }],
      waiting: [{ waitsFor: 'cap' }],
    })
  })

  it('lets one that its token would not make before go alone, when nothing else goes', () => {
    const goes = (...rows: PayoutRow[]) => numbersOf(nextBatch(rows, room(100n), 100, NOW).release)
    const [suspect, another] = [payoutRow(2, { tokenFailures: 1 }), payoutRow(5, { tokenFailures: 1 })]
    expect(goes(payoutRow(1), suspect, payoutRow(3))).toEqual([1, 3])
    expect(goes(suspect, payoutRow(3), payoutRow(4))).toEqual([3, 4])
    expect(goes(another, suspect, payoutRow(3, { amount: 101n }))).toEqual([2])
  })

  it('lets smaller ones pass a large one under the cap for six hours, and then none of its asset that is younger', () => {
    const large = payoutRow(2, { amount: 50n, requestedAt: hours(1) })
    const rows = [payoutRow(1), large, payoutRow(3), payoutRow(4, { asset: 'BTC' })]
    const goes = (now: Date, wholeCap: bigint) =>
      numbersOf(nextBatch(rows, room(40n, 1_000n, wholeCap), 100, now).release)
    expect(goes(hours(7), 100n)).toEqual([1, 3, 4])
    expect(goes(hours(8), 100n)).toEqual([1, 4])
    expect(goes(hours(8), 49n)).toEqual([1, 3, 4])
    expect(nextBatch(rows, room(40n, 1_000n, 100n), 100, hours(8)).waiting).toMatchObject([
      { payout: { number: 2n }, waitsFor: 'cap', isNext: true },
      { payout: { number: 3n }, waitsFor: 'cap', isNext: false },
    ])
  })

  it('pays a large one within a day of that, however many small ones are asked for', () => {
    const waiting = [payoutRow(1, { amount: 9_000n })]
    let [left, minute] = [0, 0]
    for (; waiting.some(({ number }) => number === 1n) && minute < 60 * 48; minute += 1) {
      left = Math.min(20_000, left + 20_000 / 1_440)
      const now = hours(minute / 60)
      if (minute % 7 === 0) waiting.push(payoutRow(minute + 2, { amount: 100n, requestedAt: now }))
      const there = room(BigInt(Math.floor(left)), 10n ** 9n, 20_000n)
      for (const paid of nextBatch(waiting, there, 100, now).release) {
        left -= Number(paid.amount)
        waiting.splice(waiting.indexOf(paid), 1)
      }
    }
    expect(minute).toBeLessThan(60 * 30)
  })

  it('never comes to more than there is room for, and never loses one that fits', () => {
    const rows = fc.array(
      fc.record({ amount: fc.bigInt(1n, 60n), asset: fc.constantFrom('USDT', 'BTN', 'BTC'), failures: fc.nat(1) }),
      { maxLength: 40 },
    )
    const of = fc.bigInt(0n, 200n)
    fc.assert(
      fc.property(rows, of, of, fc.integer({ min: 1, max: 20 }), (given, cap, float, most) => {
        const payouts = given.map((one, place) =>
          payoutRow(place, { amount: one.amount, asset: one.asset as 'USDT', tokenFailures: one.failures }),
        )
        const { release, waiting } = nextBatch(payouts, room(cap, float), most, NOW)
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

describe('the fees', () => {
  const gwei = 10n ** 9n

  it('leave room for the base fee to double, within what may be paid', () => {
    expect(firstFees({ baseFee: 10n * gwei, priorityFee: gwei }, 100n * gwei)).toEqual({
      maxFee: 21n * gwei,
      maxPriorityFee: gwei,
    })
    expect(firstFees({ baseFee: 90n * gwei, priorityFee: gwei }, 100n * gwei)?.maxFee).toBe(100n * gwei)
    expect(firstFees({ baseFee: 100n * gwei, priorityFee: gwei }, 100n * gwei)).toBeNull()
  })

  it('begin with a tip no higher than what gas itself costs, or two gwei, whatever a node says', () => {
    const tip = (baseFee: bigint, priorityFee: bigint) =>
      firstFees({ baseFee: baseFee * gwei, priorityFee: priorityFee * gwei }, 300n * gwei)?.maxPriorityFee
    expect(tip(1n, 1_000n)).toBe(2n * gwei)
    expect(tip(30n, 1_000n)).toBe(30n * gwei)
    expect(tip(30n, 3n)).toBe(3n * gwei)
    const first = { maxFee: 4n * gwei, maxPriorityFee: 2n * gwei }
    expect(higherFees(first, { baseFee: gwei, priorityFee: 25n * gwei }, 300n * gwei)?.maxPriorityFee).toBe(25n * gwei)
  })

  it('are raised by so much that a node takes the new form, and never beyond what may be paid', () => {
    const price = fc.record({ baseFee: fc.bigInt(0n, 10n ** 12n), priorityFee: fc.bigInt(0n, 10n ** 11n) })
    fc.assert(
      fc.property(price, price, fc.bigInt(1n, 10n ** 12n), (before, now, most) => {
        let fees: Fees | null = firstFees(before, most)
        for (let attempt = 0; fees && attempt < 400; attempt += 1) {
          expect(fees.maxFee > 0n && fees.maxFee <= most && fees.maxPriorityFee <= fees.maxFee).toBe(true)
          const higher = higherFees(fees, now, most)
          if (higher) {
            expect(higher.maxFee * 10n >= fees.maxFee * 11n).toBe(true)
            expect(higher.maxPriorityFee * 10n >= fees.maxPriorityFee * 11n).toBe(true)
          }
          fees = higher
        }
        expect(fees).toBeNull()
      }),
    )
  })
})

describe('how many of its transactions blocks have taken', () => {
  it('is the highest that a node says, for others may be behind', () => {
    expect(believedCount([3n, 7n, 5n], 6n, 3)).toBe(7n)
    expect(believedCount([5n], 6n, 3)).toBe(5n)
  })

  it('is more than were signed only where two of several nodes say so', () => {
    expect(believedCount([9n, 7n], 6n, 2)).toBe(7n)
    expect(believedCount([9n, 8n, 7n], 6n, 3)).toBe(8n)
    expect(believedCount([9n], 6n, 2)).toBeNull()
    expect(believedCount([9n], 6n, 1)).toBe(9n)
  })

  it('is strange where it is more than three beyond', () => {
    expect([7n, 10n, 11n].map((count) => isStrangeCount(count, 6n))).toEqual([false, false, true])
    expect([0n, 3n, 4n].map((count) => isStrangeCount(count, -1n))).toEqual([false, false, true])
  })
})

describe('nothing is signed', () => {
  const books = {
    stopped: null,
    readAgain: false,
    postedNumber: 90n,
    postedTime: new Date(1_000_000),
    vault: amount(5n),
  }
  const fine: View = {
    books,
    held: amount(5n),
    finalizedTime: new Date(1_100_000),
    paused: false,
    mayPay: true,
    payer: '0xpayer',
  }

  it.each<[string, Partial<View>, string]>([
    ['with a key that is no payer', { mayPay: false }, '0xpayer is not a payer'],
    ['before the books begin', { books: null }, 'have not begun'],
    ['while they are stopped', { books: { ...books, stopped: 'money left' } }, 'stopped: money left'],
    ['while they are read again', { books: { ...books, readAgain: true } }, 'read again'],
    ['while they are far behind', { finalizedTime: new Date(1_601_000) }, '601 seconds behind'],
    ['where the node has forgotten the block', { held: null }, 'does not know'],
    ['where books and vault differ', { held: { ...amount(5n), BTC: 4n } }, '4 BTC, and by the books 5'],
    ['while the vault is paused', { paused: true }, 'paused'],
  ])('%s', (_when, change, words) => {
    expect(objection(fine)).toBeNull()
    expect(objection({ ...fine, ...change })).toContain(words)
  })
})
