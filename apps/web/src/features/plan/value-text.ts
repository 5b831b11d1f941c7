import { type Asset, assertNever } from '@lode/kernel'
import { formatShare, formatWeight, formatWholeAmount } from '../../shared/format/index.ts'
import type { TextFunction } from '../../shared/i18n/index.ts'

/** The unit of a value of the plan. */
export type Unit = Asset | 'share' | 'weight' | 'power' | 'days' | 'hour' | 'minutes' | 'number'

export function valueText(t: TextFunction, unit: Unit, value: string | number): string {
  switch (unit) {
    case 'USDT':
    case 'BTN':
    case 'BTC':
      return formatWholeAmount(String(value), unit)
    case 'share':
      return formatShare(Number(value))
    case 'weight':
      return formatWeight(Number(value))
    case 'power':
      return `${value}\u00a0TH/s`
    case 'days':
      return t('dao.days', { count: Number(value) })
    case 'hour':
      return `${String(value).padStart(2, '0')}:00\u00a0UTC`
    case 'minutes':
      return t('dao.minutes', { count: Number(value) })
    case 'number':
      return String(value)
    default:
      return assertNever(unit)
  }
}
