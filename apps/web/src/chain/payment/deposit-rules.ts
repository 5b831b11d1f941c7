import { call } from '../../shared/api/index.ts'
import { belongsToSession } from './belongs-to-session.ts'
import { depositCall, depositedLogFilter, isDeposit } from './contracts.ts'
import type { Intent } from './payment.ts'
import type { PurposeRules } from './purpose-rules.ts'

/** The rules of a payment into the member's own balance. */
export const depositRules = (intent: Intent): PurposeRules => ({
  canBePaidOnlyOnce: false,
  changedRoutes: ['wallet/assets', 'wallet/log'],
  payCall: (permit) => depositCall(intent, permit),
  isPayment: (transaction) => isDeposit(intent, transaction),
  findPayments: (chain, from, to) => chain.transactionsWith(depositedLogFilter(intent), from, to),
  reportSent: () => {},

  async creditOf(hash) {
    if (!belongsToSession(intent)) return 'no-answer'
    const log = await call('wallet/log', { symbol: intent.symbol, tx: hash }, { quiet: true })
    if (!log.ok) return 'no-answer'
    if (log.value.lines.some(({ status }) => status === 'confirmed')) return 'credited'
    return log.value.lines.some(({ status }) => status === 'confirming') ? 'confirming' : 'none'
  },
  isLapsed: async () => false,
})
