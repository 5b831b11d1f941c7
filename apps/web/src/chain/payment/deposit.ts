import { call } from '../../shared/api/index.ts'
import { depositCall, depositedLog, isDeposit } from './contracts.ts'
import type { Intent } from './payment.ts'
import type { PurposeRules } from './purpose-rules.ts'
import { speaksFor } from './speaks-for.ts'

/** A payment into the member's own balance. */
export const deposit = (intent: Intent): PurposeRules => ({
  paidOnce: false,
  shownIn: ['wallet/assets', 'wallet/log'],
  payCall: (permit) => depositCall(intent, permit),
  isPayment: (transaction) => isDeposit(intent, transaction),
  findPaid: (chain, from, to) => chain.transactionsWith(depositedLog(intent), from, to),
  tellSent: () => {},

  async creditOf(hash) {
    if (!speaksFor(intent)) return 'no-answer'
    const log = await call('wallet/log', { symbol: intent.symbol, tx: hash }, { quiet: true })
    if (!log.ok) return 'no-answer'
    if (log.value.lines.some(({ status }) => status === 'confirmed')) return 'credited'
    return log.value.lines.some(({ status }) => status === 'confirming') ? 'confirming' : 'none'
  },
  isLapsed: async () => false,
})
