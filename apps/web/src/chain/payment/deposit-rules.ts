import { formatAmount, units } from '@lode/kernel'
import type { Hex } from 'viem'
import { call, isAnswered } from '../../shared/api/index.ts'
import { belongsToSession } from './belongs-to-session.ts'
import { depositCall, depositedLogFilter, isDeposit } from './contracts.ts'
import type { Intent } from './payment.ts'
import { NO_POOL_ANSWER, type PoolAnswer, type PurposeRules } from './purpose-rules.ts'

/** The rules of a payment into the member's own balance. */
export const depositRules = (intent: Intent): PurposeRules => ({
  canBePaidOnlyOnce: false,
  changedRoutes: ['wallet/assets', 'wallet/log', 'wallet/sent', 'account/home'],
  payCall: (permit) => depositCall(intent, permit),
  isPayment: (transaction) => isDeposit(intent, transaction),
  findPayments: (chain, from, to) => chain.transactionsWith(depositedLogFilter(intent), from, to),
  async reportSent(hash) {
    if (!belongsToSession(intent)) return false
    const terms = { symbol: intent.symbol, amount: amountOf(intent), tx: hash }
    return isAnswered(await call('wallet/report-sent', terms, { quiet: true, keepalive: true }))
  },
  async askPool(hash) {
    if (!belongsToSession(intent)) return NO_POOL_ANSWER
    return hash === undefined ? findEqualDeposits(intent) : askForDeposit(intent, hash)
  },
})

async function askForDeposit({ symbol }: Intent, hash: Hex): Promise<PoolAnswer> {
  const log = await call('wallet/log', { symbol, tx: hash }, { quiet: true })
  if (!log.ok) return NO_POOL_ANSWER
  const hasStatus = (wanted: string) => log.value.lines.some(({ status }) => status === wanted)
  const credit = hasStatus('confirmed') ? 'credited' : hasStatus('confirming') ? 'confirming' : 'none'
  return { ...NO_POOL_ANSWER, credit, toBalance: true }
}

/** The newest deposits of the same amount. Whether one is this payment is decided by its block. */
async function findEqualDeposits(intent: Intent): Promise<PoolAnswer> {
  const { symbol } = intent
  const log = await call('wallet/log', { symbol, type: 'transferIn' }, { quiet: true })
  if (!log.ok) return NO_POOL_ANSWER
  const amount = amountOf(intent)
  const seen = log.value.lines.flatMap((line) =>
    line.amount === amount && line.tx ? [line.tx.toLowerCase() as Hex] : [],
  )
  return { ...NO_POOL_ANSWER, credit: 'none', seen: seen.reverse() }
}

const amountOf = ({ symbol, units: value, decimals }: Intent): string => formatAmount(units(symbol, value), decimals)
