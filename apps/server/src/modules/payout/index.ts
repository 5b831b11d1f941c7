export { createPayerMetrics, createSettlementMetrics } from './metrics.ts'
export { startPayer } from './payer.ts'
export { type PayoutRow, readPayouts, type Verdict } from './row.ts'
export { createSettlement } from './settlement.ts'
