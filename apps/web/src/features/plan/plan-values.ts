import { assets } from '@lode/kernel'
import { allocationParts } from '@lode/wire'
import type { TextFunction } from '../../shared/i18n/index.ts'
import type { Unit } from './value-text.ts'

/** A value of the plan: its name for members, and its unit. */
export type PlanValue = { readonly name: (t: TextFunction) => string; readonly unit: Unit }

const levelUnits = { price: 'USDT', power: 'power', airdrop: 'BTN', rewardsAtMost: 'number' } as const
const termUnits = { days: 'days', weight: 'weight' } as const
const transferTerms = ['min', 'max', 'fee', 'reviewAbove', 'decisionAbove'] as const
const supplyUnits = {
  issuance: 'BTN',
  airdrop: 'share',
  promotion: 'share',
  liquidity: 'share',
  mining: 'share',
} as const
const otherUnits = {
  upLevelLayers: 'number',
  destruction: 'share',
  agentAirdrop: 'BTN',
  partnerAirdrop: 'BTN',
  pledgeAbove: 'BTN',
  closeHour: 'hour',
  dayFundingMax: 'BTC',
  quoteMinutes: 'minutes',
} as const

/**
 * Looks a value up by its path in the plan, such as `levels.2.price`. Null for a path that was added after this app was
 * loaded.
 */
export function findPlanValue(path: string): PlanValue | null {
  const [root = '', second = '', third = '', fourth = ''] = path.split('.')
  switch (root) {
    case 'levels': {
      const level = second
      const quota = assets.find((asset) => third === 'quotas' && asset === fourth)
      if (quota) return { name: (t) => t('dao.facts.quota', { level, symbol: quota }), unit: quota }
      if (!isNameIn(levelUnits, third)) return null
      return { name: (t) => t('dao.facts.ofLevel', { level, name: t(`dao.levels.${third}`) }), unit: levelUnits[third] }
    }
    case 'allocation': {
      const part = allocationParts.find((one) => one === second)
      return part ? { name: (t) => t('dao.facts.part', { part: t(`dao.parts.${part}`) }), unit: 'share' } : null
    }
    case 'supply':
      return isNameIn(supplyUnits, second)
        ? { name: (t) => t(`dao.supply.${second}`), unit: supplyUnits[second] }
        : null
    case 'pledgeTerms': {
      const number = Number(second) + 1
      return isNameIn(termUnits, third)
        ? { name: (t) => t('dao.facts.ofTerm', { number, name: t(`dao.pledges.${third}`) }), unit: termUnits[third] }
        : null
    }
    case 'transfer': {
      const [symbol, term] = [assets.find((asset) => asset === second), transferTerms.find((one) => one === third)]
      if (!symbol || !term) return null
      return { name: (t) => t('dao.facts.ofTransfer', { symbol, name: t(`dao.transfers.${term}`) }), unit: symbol }
    }
    default:
      return isNameIn(otherUnits, root) ? { name: (t) => t(`dao.values.${root}`), unit: otherUnits[root] } : null
  }
}

const isNameIn = <Table extends object>(table: Table, name: string): name is Extract<keyof Table, string> =>
  Object.hasOwn(table, name)
