import { formatAmount, units } from '@lode/kernel'
import type { Intent } from '../../chain/payment/index.ts'
import { formatWholeAmount } from '../../shared/format/index.ts'

/** The canonical text of the amount to pay. */
export const canonicalAmount = ({ symbol, units: value, decimals }: Pick<Intent, 'symbol' | 'units' | 'decimals'>) =>
  formatAmount(units(symbol, value), decimals)

/** The amount with its symbol and all decimals. An amount to pay is never cut off. */
export const amountText = (intent: Pick<Intent, 'symbol' | 'units' | 'decimals'>): string =>
  formatWholeAmount(canonicalAmount(intent), intent.symbol)
