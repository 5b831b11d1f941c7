import { describe, expect, it } from 'vitest'
import type { Payment } from './payment.ts'
import { openShelf, readPayment, written } from './stored.ts'
import { askedToPay, intent, orderIntent, payment, play } from './testing/example.ts'

function memory(limit = Number.POSITIVE_INFINITY) {
  const values = new Map<string, string>()
  return {
    getItem: (key: string) => values.get(key) ?? null,
    setItem: (key: string, value: string) => {
      if (values.size >= limit) throw new DOMException('full', 'QuotaExceededError')
      values.set(key, value)
    },
    removeItem: (key: string) => void values.delete(key),
    keys: () => Array.from(values.keys()),
    lasts: true,
  }
}

const spoiled = (change: (stored: Record<string, unknown>) => unknown) => {
  const stored = JSON.parse(written(payment))
  return JSON.stringify(change(stored) ?? stored)
}

describe('what is read from the browser', () => {
  it('is the payment that was written, to the smallest unit', () => {
    const units = 340_282_366_920_938_463_463_374_607_431_768_211_455n
    const large = { ...payment, intent: { ...intent, units } }
    expect(readPayment(written(large))).toEqual(large)
  })

  it('is the payment of an order too, with the quote that the vault takes', () => {
    const ofOrder = { ...payment, intent: orderIntent }
    expect(readPayment(written(ofOrder))).toEqual(ofOrder)
    const lapsed = { ...ofOrder, stage: { at: 'lapsed' as const, since: 5_000 } }
    expect(readPayment(written(lapsed))).toEqual(lapsed)
  })

  it('may be out where that is not said and the wallet has been asked to pay', () => {
    const { mayBeOut: _, ...asked } = play(payment, askedToPay)
    const before = { ...asked, stage: { at: 'paused' as const, problem: null } }
    expect(readPayment(written(before as Payment))).toMatchObject({ mayBeOut: true })
    const { mayBeOut: __, ...fresh } = payment
    expect(readPayment(written(fresh as Payment))).toEqual(payment)
  })

  it.each([
    ['nothing', null],
    ['no JSON', '{"intent":'],
    ['null', 'null'],
    ['an amount of zero', spoiled((stored) => ({ ...stored, intent: { ...(stored.intent as object), units: '0' } }))],
    [
      'an amount that is larger than any',
      spoiled((stored) => ({ ...stored, intent: { ...(stored.intent as object), units: '9'.repeat(39) } })),
    ],
    ['a stage that there is not', spoiled((stored) => ({ ...stored, stage: { at: 'paid' } }))],
    ['a stage without its hash', spoiled((stored) => ({ ...stored, stage: { at: 'sent', since: 1 } }))],
    [
      'an address that leads elsewhere',
      spoiled((stored) => ({
        ...stored,
        intent: { ...(stored.intent as object), explorerUrl: 'javascript:alert(1)' },
      })),
    ],
  ])('is no payment where it is %s', (_what, text) => {
    expect(readPayment(text)).toBeNull()
  })
})

describe('the shelf of an account', () => {
  it('holds its own payments, the newest first, and no other’s', () => {
    const storage = memory()
    const mine = openShelf(storage, intent.account)
    const newer = { ...payment, intent: { ...intent, id: `${intent.id.slice(0, -1)}2`, createdAt: 5_000 } }
    expect([mine.put(payment), mine.put(newer)]).toEqual([true, true])
    expect(mine.all()).toEqual([newer, payment])
    expect(openShelf(storage, intent.account.toLowerCase()).get(intent.id)).toEqual(payment)
    expect(openShelf(storage, intent.vault).all()).toEqual([])
    storage.setItem(storage.keys()[0] ?? '', 'edited by hand')
    expect(mine.all()).toHaveLength(1)
  })

  it('says so where it cannot keep one, or only until the page is closed', () => {
    expect(openShelf(memory(0), intent.account).put(payment)).toBe(false)
    expect(openShelf({ ...memory(), lasts: false }, intent.account).put(payment)).toBe(false)
  })
})
