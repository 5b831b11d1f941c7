import { describe, expect, it } from 'vitest'
import type { Payment } from './payment.ts'
import { openPaymentStore, parsePayment, serializePayment } from './payment-store.ts'
import { askedToPay, hashOf, intent, orderIntent, payment, play, sentAs } from './testing/example.ts'

function memoryStorage(limit = Number.POSITIVE_INFINITY) {
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

const corrupted = (change: (stored: Record<string, unknown>) => unknown) => {
  const stored = JSON.parse(serializePayment(payment))
  return JSON.stringify(change(stored) ?? stored)
}

describe('a stored payment', () => {
  it('is read back exactly, to the smallest unit', () => {
    const units = 340_282_366_920_938_463_463_374_607_431_768_211_455n
    const large = { ...payment, intent: { ...intent, units } }
    expect(parsePayment(serializePayment(large))).toEqual(large)
  })

  it('is read back with the quote of its order', () => {
    const ofOrder = { ...payment, intent: orderIntent }
    expect(parsePayment(serializePayment(ofOrder))).toEqual(ofOrder)
    const lapsed = { ...ofOrder, stage: { at: 'lapsed' as const, since: 5_000 } }
    expect(parsePayment(serializePayment(lapsed))).toEqual(lapsed)
  })

  it('without the field mayBeOut may be out if the wallet was asked to pay', () => {
    const { mayBeOut: _, ...asked } = play(payment, askedToPay)
    const before = { ...asked, stage: { at: 'paused' as const, problem: null } }
    expect(parsePayment(serializePayment(before as Payment))).toMatchObject({ mayBeOut: true })
    const { mayBeOut: __, ...fresh } = payment
    expect(parsePayment(serializePayment(fresh as Payment))).toEqual(payment)
  })

  it.each([
    ['nothing', null],
    ['broken JSON', '{"intent":'],
    ['null', 'null'],
    ['an amount of zero', corrupted((stored) => ({ ...stored, intent: { ...(stored.intent as object), units: '0' } }))],
    [
      'an amount above the maximum',
      corrupted((stored) => ({ ...stored, intent: { ...(stored.intent as object), units: '9'.repeat(39) } })),
    ],
    ['an unknown stage', corrupted((stored) => ({ ...stored, stage: { at: 'paid' } }))],
    ['a stage without its hash', corrupted((stored) => ({ ...stored, stage: { at: 'sent', since: 1 } }))],
    [
      'an explorer URL that is a script',
      corrupted((stored) => ({
        ...stored,
        intent: { ...(stored.intent as object), explorerUrl: 'javascript:alert(1)' },
      })),
    ],
  ])('is ignored if it is %s', (_what, text) => {
    expect(parsePayment(text)).toBeNull()
  })
})

describe('the payment store of an account', () => {
  it('lists only the payments of its account, newest first', () => {
    const storage = memoryStorage()
    const mine = openPaymentStore(storage, intent.account)
    const newer = { ...payment, intent: { ...intent, id: `${intent.id.slice(0, -1)}2`, createdAt: 5_000 } }
    expect([mine.put(payment), mine.put(newer)]).toEqual([true, true])
    expect(mine.all()).toEqual([newer, payment])
    expect(openPaymentStore(storage, intent.account.toLowerCase()).get(intent.id)).toEqual(payment)
    expect(openPaymentStore(storage, intent.vault).all()).toEqual([])
    storage.setItem(storage.keys()[0] ?? '', 'edited by hand')
    expect(mine.all()).toHaveLength(1)
  })

  it('keeps the transactions of a removed payment while an equal payment is open, and not otherwise', () => {
    const ended = play(payment, askedToPay, sentAs('1'), { type: 'reverted', hash: hashOf('1'), now: 5_000 })
    const equal = { ...payment, intent: { ...intent, id: `${intent.id.slice(0, -1)}2` } }
    const claimedAfterRemoval = (...others: Payment[]) => {
      const store = openPaymentStore(memoryStorage(), intent.account)
      for (const one of [ended, ...others]) store.put(one)
      store.remove(intent.id)
      return store.claimed()
    }
    expect(claimedAfterRemoval(equal)).toEqual([hashOf('1')])
    expect(claimedAfterRemoval()).toEqual([])
    expect(claimedAfterRemoval({ ...equal, intent: { ...equal.intent, units: 1n } })).toEqual([])
    expect(claimedAfterRemoval({ ...ended, intent: equal.intent })).toEqual([])
  })

  it('reports a payment that it cannot store, or only until the page is closed', () => {
    expect(openPaymentStore(memoryStorage(0), intent.account).put(payment)).toBe(false)
    expect(openPaymentStore({ ...memoryStorage(), lasts: false }, intent.account).put(payment)).toBe(false)
  })
})
