import { deposit } from './deposit.ts'
import { order } from './order.ts'
import type { Intent } from './payment.ts'
import type { PurposeRules } from './purpose-rules.ts'

export function rulesOf(intent: Intent): PurposeRules {
  const { purpose } = intent
  return purpose.kind === 'order' ? order(intent, purpose) : deposit(intent)
}
