import { describe, expect, it } from 'vitest'
import type { Payment, Stage } from '../../chain/payment/index.ts'
import type { PaidOrder } from './order.ts'
import { isIdle, showingOf } from './showing.ts'

const order = (state: PaidOrder['state']) => ({ state }) as PaidOrder
const payment = (stage: Partial<Stage> & Pick<Stage, 'at'>, mayBeOut = false) => ({ stage, mayBeOut }) as Payment
const shown = (...given: Parameters<typeof showingOf>) => showingOf(...given).kind

describe('what of an order is in front', () => {
  it('is the way to pay it while it can be paid and nothing was begun here, and else what the pool says', () => {
    expect(shown(order('paying'), undefined)).toBe('pay')
    for (const state of ['closing', 'confirming', 'success', 'failed'] as const)
      expect(shown(order(state), undefined)).toBe('order')
  })

  it('is the payment that was begun here, until the order has ended', () => {
    for (const state of ['paying', 'closing', 'confirming'] as const)
      expect(shown(order(state), payment({ at: 'sent' }, true))).toBe('payment')
    expect(shown(order('success'), payment({ at: 'sent' }, true))).toBe('order')
    expect(shown(order('paying'), payment({ at: 'failed' }))).toBe('payment')
    expect(shown(order('confirming'), payment({ at: 'failed' }))).toBe('order')
    expect(shown(order('confirming'), payment({ at: 'credited' }))).toBe('order')
  })

  it('is the payment alone where the pool cannot be asked', () => {
    expect(shown(undefined, payment({ at: 'mined' }, true))).toBe('payment')
    expect(shown(undefined, undefined)).toBe('loading')
  })

  it('is the order where a payment was begun, never asked for, and cannot be any more', () => {
    const paused = payment({ at: 'paused' })
    expect(shown(order('paying'), paused)).toBe('payment')
    expect(isIdle(order('paying'), paused)).toBe(false)
    expect(shown(order('closing'), paused)).toBe('order')
    expect(isIdle(order('closing'), paused)).toBe(true)
    expect(shown(order('closing'), payment({ at: 'paused' }, true))).toBe('payment')
  })
})
