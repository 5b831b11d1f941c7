import { getAddress, numberToHex, pad } from 'viem'
import type { PayoutRow } from '../payout-row.ts'

/** A transfer that is only requested. `overrides` sets the values that a test is about. */
export const buildPayoutRow = (number: number, overrides: Partial<PayoutRow> = {}): PayoutRow => ({
  id: `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`,
  number: BigInt(number),
  kind: 'transfer',
  asset: 'USDT',
  amount: 10n,
  fee: 1n,
  feeBurned: 0n,
  address: getAddress(pad(numberToHex(0x1000 + number), { size: 20 })),
  requestedAt: new Date(0),
  memberId: 7n,
  planVersion: 1,
  level: 0,
  addressBoundAt: null,
  deviceSeenAt: null,
  paidFrom: null,
  purpose: null,
  decisionId: null,
  releaseNumber: null,
  lookAt: new Date(0),
  heldCheck: null,
  waitsFor: null,
  tokenFailures: 0,
  ended: null,
  endedAt: null,
  paidTx: null,
  paidLogIndex: null,
  paidAt: null,
  ...overrides,
})
