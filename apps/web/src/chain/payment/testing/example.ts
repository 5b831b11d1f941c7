import type { Hex } from 'viem'
import type { Intent, OrderPurpose, Payment } from '../payment.ts'
import { advancePayment, createPayment, type PaymentEvent } from '../payment-machine.ts'

export const intent: Intent = {
  id: '3f2504e0-4f89-41d3-9a0c-0305e82c3301',
  purpose: { kind: 'deposit' },
  account: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
  chainId: 31_337,
  vault: '0x5FbDB2315678afecb367f032d93F642f64180aa3',
  symbol: 'USDT',
  token: '0xe7f1725E7734CE288F8367e1Bb143E90bb3F0512',
  decimals: 6,
  units: 100_000_000n,
  explorerUrl: 'https://explorer.example',
  finalityMinutes: 15,
  createdAt: 1_000,
}

export const hashOf = (digit: string): Hex => `0x${digit.repeat(64)}`

export const orderIntent: Intent & { readonly purpose: OrderPurpose } = {
  ...intent,
  purpose: {
    kind: 'order',
    id: '7d444840-9dc0-41d1-b245-5ffdce74fad2',
    orderId: hashOf('e'),
    deadline: 2_000_000_000,
    signature: `0x${'5'.repeat(130)}`,
  },
}

export const payment = createPayment(intent, ['approve', 'pay'])

export const play = (from: Payment, ...events: readonly PaymentEvent[]): Payment => events.reduce(advancePayment, from)

export const askedToPay: PaymentEvent = { type: 'asked', left: ['pay'], nonce: 7, block: 50, now: 2_000 }
export const sentAs = (digit: string): PaymentEvent => ({ type: 'pay-sent', hash: hashOf(digit), now: 3_000 })
export const minedAs = (digit: string, block = 'b'): PaymentEvent => ({
  type: 'mined',
  hash: hashOf(digit),
  block: { number: 51, hash: hashOf(block) },
  now: 4_000,
})
