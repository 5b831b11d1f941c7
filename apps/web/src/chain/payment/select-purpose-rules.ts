import { depositRules } from './deposit-rules.ts'
import { orderRules } from './order-rules.ts'
import type { Intent } from './payment.ts'
import type { PurposeRules } from './purpose-rules.ts'

export function selectPurposeRules(intent: Intent): PurposeRules {
  const { purpose } = intent
  return purpose.kind === 'order' ? orderRules(intent, purpose) : depositRules(intent)
}
