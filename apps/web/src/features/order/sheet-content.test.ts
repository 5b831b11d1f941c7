import { describe, expect, it } from 'vitest'
import type { Payment, Stage } from '../../chain/payment/index.ts'
import type { PayableOrder } from './order.ts'
import { chooseSheetContent, isAbandonedPayment } from './sheet-content.ts'

const order = (state: PayableOrder['state']) => ({ state }) as PayableOrder
const payment = (stage: Partial<Stage> & Pick<Stage, 'at'>, mayBeOut = false) => ({ stage, mayBeOut }) as Payment
const shown = (...given: Parameters<typeof chooseSheetContent>) => chooseSheetContent(...given).kind

describe('the content of the order sheet', () => {
  it('is the payment form while the order can be paid and no payment was started here, and otherwise the order’s state', () => {
    expect(shown(order('paying'), undefined)).toBe('pay')
    for (const state of ['closing', 'confirming', 'success', 'failed'] as const)
      expect(shown(order(state), undefined)).toBe('order')
  })

  it('is the payment that this browser started, until the order has ended', () => {
    for (const state of ['paying', 'closing', 'confirming'] as const)
      expect(shown(order(state), payment({ at: 'sent' }, true))).toBe('payment')
    expect(shown(order('success'), payment({ at: 'sent' }, true))).toBe('order')
    for (const at of ['failed', 'credited', 'lapsed'] as const)
      expect(shown(order('paying'), payment({ at }))).toBe('payment')
    expect(shown(order('confirming'), payment({ at: 'failed' }))).toBe('order')
    expect(shown(order('confirming'), payment({ at: 'credited' }))).toBe('order')
  })

  it('is only the payment if the pool does not answer', () => {
    expect(shown(undefined, payment({ at: 'mined' }, true))).toBe('payment')
    expect(shown(undefined, undefined)).toBe('loading')
  })

  it('is the order if a payment was started but never sent to the wallet, and the order can no longer be paid', () => {
    const paused = payment({ at: 'paused' })
    expect(shown(order('paying'), paused)).toBe('payment')
    expect(isAbandonedPayment(order('paying'), paused)).toBe(false)
    expect(shown(order('closing'), paused)).toBe('order')
    expect(isAbandonedPayment(order('closing'), paused)).toBe(true)
    expect(shown(order('closing'), payment({ at: 'paused' }, true))).toBe('payment')
  })
})
