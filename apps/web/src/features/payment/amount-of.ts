import { formatAmount, units } from '@lode/kernel'
import type { Intent } from '../../chain/payment/index.ts'
import { formatAmount as readable } from '../../shared/format/index.ts'

/** The canonical text of what is paid. */
export const canonicalAmount = ({ symbol, units: value, decimals }: Pick<Intent, 'symbol' | 'units' | 'decimals'>) =>
  formatAmount(units(symbol, value), decimals)

/** With its symbol, whole: what is paid is never cut short. It does not break over two lines. */
export const amountText = (intent: Pick<Intent, 'symbol' | 'units' | 'decimals'>): string =>
  `${readable(canonicalAmount(intent), { least: 0, most: intent.decimals })}\u00a0${intent.symbol}`
