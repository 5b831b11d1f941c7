import { describe, expect, it } from 'vitest'
import type { Payment, Stage } from '../../chain/payment/index.ts'
import { buildPaymentSteps } from './payment-steps.ts'
import { stageText } from './StatusPill.tsx'

const hash = `0x${'a'.repeat(64)}` as const
const payment = (stage: Stage, given: Partial<Payment> = {}): Payment => ({
  intent: {
    id: '3f2504e0-4f89-41d3-9a0c-0305e82c3301',
    purpose: { kind: 'deposit' },
    account: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
    chainId: 1,
    vault: '0x5FbDB2315678afecb367f032d93F642f64180aa3',
    symbol: 'USDT',
    token: '0xe7f1725E7734CE288F8367e1Bb143E90bb3F0512',
    decimals: 6,
    units: 100_000_000n,
    explorerUrl: null,
    finalityMinutes: 15,
    createdAt: 0,
  },
  done: [],
  left: ['reset', 'approve', 'pay'],
  permits: true,
  fromBlock: null,
  mayBeOut: false,
  aside: false,
  sent: [],
  stage,
  ...given,
})

const t = ((key: string, values?: object) => (values ? `${key} ${Object.values(values).join(' ')}` : key)) as never
const shown = (one: Payment, signedIn = true, now = 200_000) =>
  buildPaymentSteps(t, one, { now, language: 'en', signedIn }).map(({ key, state }) => `${key} ${state}`)
const detail = (one: Payment, key: string, signedIn = true, now = 200_000) =>
  buildPaymentSteps(t, one, { now, language: 'en', signedIn }).find((step) => step.key === key)?.detail

describe('the steps of a payment', () => {
  it('have one current step: the request that the wallet shows', () => {
    const asking = payment(
      { at: 'asking', request: 'approve', nonce: 1, since: 0 },
      { done: ['reset'], left: ['approve', 'pay'] },
    )
    expect(shown(asking)).toEqual(['reset done', 'approve current', 'pay waiting', 'final waiting', 'credited waiting'])
    expect(detail(asking, 'approve')).toContain('payment.now.approve 100')
  })

  it('are done up to the payment once it is in a block, and show how long ago that was', () => {
    const confirming = payment(
      { at: 'confirming', hash, block: null, since: 20_000 },
      { done: ['approve'], left: ['pay'], sent: [{ hash, nonce: 1 }] },
    )
    expect(shown(confirming)).toEqual(['approve done', 'pay done', 'final current', 'credited waiting'])
    expect(detail(confirming, 'final')).toBe('wallet.seen 15 wallet.elapsed 3')
    expect(detail(confirming, 'final', false)).toContain('payment.now.signedOut')
  })

  it('end with the credit, or with the payment if it failed', () => {
    const ended = { done: ['permit'], left: ['pay'], sent: [{ hash, nonce: 1 }] } as const
    expect(shown(payment({ at: 'credited', hash, toBalance: true, since: 0 }, ended))).toEqual([
      'permit done',
      'pay done',
      'final done',
      'credited done',
    ])
    expect(shown(payment({ at: 'failed', why: { kind: 'reverted' }, hash, since: 0 }, ended))).toEqual([
      'permit done',
      'pay failed',
      'final waiting',
      'credited waiting',
    ])
  })

  it('of an order begin with the order, as the steps that the order shows in the end', () => {
    const { intent } = payment({ at: 'checking' })
    const purpose = { kind: 'order', id: 'an order', orderId: hash, deadline: 0, signature: hash } as const
    const confirming = payment(
      { at: 'confirming', hash, block: null, since: 0 },
      { intent: { ...intent, purpose }, done: ['permit'], left: ['pay'] },
    )
    expect(shown(confirming)).toEqual(['made done', 'permit done', 'pay done', 'final current', 'credited waiting'])
  })

  it('do not show an approval as done that was asked for again and refused', () => {
    const given = { done: [], left: ['approve', 'pay'], mayBeOut: true } as const
    expect(shown(payment({ at: 'unknown', why: 'answer-lost', since: 0 }, given)).slice(0, 2)).toEqual([
      'approve waiting',
      'pay current',
    ])
  })

  it('say where the money of an order went: into the order, or into the balance if the order had failed', () => {
    const { intent } = payment({ at: 'checking' })
    const purpose = { kind: 'order', id: intent.id, orderId: hash, deadline: 1, signature: hash } as const
    const credited = (toBalance: boolean) =>
      payment({ at: 'credited', hash, toBalance, since: 0 }, { intent: { ...intent, purpose } })
    expect(detail(credited(false), 'credited')).toBe('payment.now.settled')
    expect(detail(credited(true), 'credited')).toBe('payment.now.returned')
    expect(stageText(t, credited(false))).toBe('payment.status.settled')
    expect(stageText(t, credited(true))).toBe('payment.status.credited')
  })
})
