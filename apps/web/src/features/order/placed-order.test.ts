import { expect, it } from 'vitest'
import { mayOpenWallet } from './placed-order.ts'

const PRESSED_AT = Date.UTC(2026, 0, 5)
const atOnce = { order: { tx: null }, pressedAt: PRESSED_AT, now: PRESSED_AT + 59_999, isVisible: true }

it('a press opens the wallet within a minute', () => {
  expect(mayOpenWallet(atOnce)).toBe(true)
  expect(mayOpenWallet({ ...atOnce, now: PRESSED_AT + 60_000 })).toBe(false)
})

it('a press does not open the wallet for an order that a device has paid', () => {
  expect(mayOpenWallet({ ...atOnce, order: { tx: `0x${'1'.repeat(64)}` } })).toBe(false)
})

it('a press does not open the wallet while the member does not see the page', () => {
  expect(mayOpenWallet({ ...atOnce, isVisible: false })).toBe(false)
})
