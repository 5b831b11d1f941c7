import { formatAmount, units } from '@lode/kernel'
import type { Intent } from '../../chain/payment/index.ts'
import { wholeAmount } from '../../shared/format/index.ts'

/** The canonical text of what is paid. */
export const canonicalAmount = ({ symbol, units: value, decimals }: Pick<Intent, 'symbol' | 'units' | 'decimals'>) =>
  formatAmount(units(symbol, value), decimals)

/** With its symbol, whole: what is paid is never cut short. */
export const amountText = (intent: Pick<Intent, 'symbol' | 'units' | 'decimals'>): string =>
  wholeAmount(canonicalAmount(intent), intent.symbol)
