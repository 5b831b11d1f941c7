import { orderStatuses } from '@lode/wire'
import { describe, expect, it } from 'vitest'
import { determineMethod, paymentOf, stateOf, statusOf, txOf } from './rules.ts'

const at = (minute: number) => new Date(Date.UTC(2026, 10, 15, 8, minute))
const open = { ended: null, seen: null, cancelledAt: null, deadline: at(30) }
const seen = { tx: '0x01', at: at(5) } as const

describe('an order', () => {
  it('can be paid up to and including its deadline, and closes after it', () => {
    expect([stateOf(open, at(0)), stateOf(open, at(30)), stateOf(open, at(31))]).toEqual([
      'paying',
      'paying',
      'closing',
    ])
  })

  it('is closing after a cancellation, until it has ended', () => {
    expect(stateOf({ ...open, cancelledAt: at(1) }, at(2))).toBe('closing')
    expect(stateOf({ ...open, cancelledAt: at(1), ended: 'failed' }, at(2))).toBe('failed')
  })

  it('is confirming while its payment is seen, even after a cancellation or the deadline', () => {
    expect(stateOf({ ...open, seen }, at(2))).toBe('confirming')
    expect(stateOf({ ...open, seen, cancelledAt: at(1) }, at(40))).toBe('confirming')
    expect(stateOf({ ...open, seen: null }, at(2))).toBe('paying')
    expect(stateOf({ ...open, seen, ended: 'success' }, at(2))).toBe('success')
  })

  it('has the wire status of paying while it is closing', () => {
    expect([statusOf.closing, statusOf.confirming]).toEqual([orderStatuses.paying, orderStatuses.confirming])
  })

  it('is paid online, from the balance, or both', () => {
    expect([0n, 100n, 40n].map((balancePart) => determineMethod({ amount: 100n, balancePart }))).toEqual([1, 2, 3])
  })
})

describe('a payment', () => {
  const order = { ...open, endedAt: null, paid: null, submitted: null, madeAt: at(0) }
  const paid = { tx: '0x02', logIndex: 1, at: at(6) } as const
  const submitted = { tx: '0x03', at: at(4) } as const

  it('is sent, then confirming, then confirmed, or credited if its order failed', () => {
    expect(paymentOf(order)).toBeNull()
    expect(paymentOf({ ...order, submitted })).toEqual({ state: 'sent', at: at(4) })
    expect(paymentOf({ ...order, submitted, deadline: null })).toBeNull()
    expect(paymentOf({ ...order, submitted, seen })).toEqual({ state: 'confirming', at: at(5) })
    expect(paymentOf({ ...order, paid, ended: 'success', endedAt: at(7) })).toEqual({ state: 'confirmed', at: at(6) })
    expect(paymentOf({ ...order, paid, ended: 'failed', endedAt: at(7) })).toEqual({ state: 'credited', at: at(6) })
    expect(paymentOf({ ...order, submitted, ended: 'failed', endedAt: at(40) })).toBeNull()
  })

  it('shows the best known transaction hash: final, then seen, then reported', () => {
    expect([txOf({ paid, seen, submitted }), txOf({ paid: null, seen, submitted }), txOf(order)]).toEqual([
      ...['0x02', '0x01', null],
    ])
  })
})
