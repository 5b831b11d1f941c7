import { describe, expect, it } from 'vitest'
import type { TextFunction } from '../../shared/i18n/index.ts'
import { partsText } from './parts-text.ts'

const t = ((key: string) => key) as TextFunction
const keyOf = (state: 'paying' | 'closing' | 'confirming' | 'success' | 'failed', failure: Failure = null) =>
  partsText(t, { state, failure, symbol: 'USDT', balancePart: '0', payAmount: '100' })
type Failure = Parameters<typeof partsText>[1]['failure']

describe('the text about the parts of a price', () => {
  it('calls the part from the wallet paid only if a payment has arrived', () => {
    expect(keyOf('paying')).toBe('order.toPay.online')
    expect(keyOf('closing')).toBe('order.notPaid.online')
    expect(keyOf('failed', 'expired')).toBe('order.notPaid.online')
    expect(keyOf('failed', 'cancelled')).toBe('order.notPaid.online')
    expect(keyOf('confirming')).toBe('order.paid.online')
    expect(keyOf('success')).toBe('order.paid.online')
    expect(keyOf('failed', 'level-already-held')).toBe('order.paid.online')
  })

  it('names both parts if the balance pays the whole price', () => {
    const order = { state: 'success', failure: null, symbol: 'USDT', balancePart: '100', payAmount: '0' } as const
    expect(partsText(t, order)).toBe('order.parts')
  })
})
