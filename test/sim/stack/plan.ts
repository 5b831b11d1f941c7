import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Asset } from '@lode/kernel'
import { parseUnits } from 'viem'
import type { Random } from '../random.ts'

/** The plan of the pool under test. Its sizes are so close together that a run reaches all of them. */
export const planFile = join(import.meta.dirname, 'plan.json')

type TransferTerms = Readonly<Record<'min' | 'max' | 'fee' | 'reviewAbove' | 'decisionAbove', bigint>>
type Level = {
  readonly price: string
  readonly power: number
  readonly airdrop: string
  readonly rewardsAtMost: number
  readonly quotas: Readonly<Record<Asset, string>>
}
const parts = ['miningFund', 'promotion', 'upLevel', 'agent', 'partner', 'liquidity', 'operations'] as const

/** A plan file, with the fields that are read here. */
export type PlanFile = {
  readonly transfer: Readonly<Record<Asset, Readonly<Record<keyof TransferTerms, string>>>>
  readonly levels: readonly Level[]
  readonly allocation: Readonly<Record<(typeof parts)[number], number>>
  readonly upLevelLayers: number
  readonly agentAirdrop: string
  readonly partnerAirdrop: string
  readonly quoteMinutes: number
  readonly pledgeAbove: string
  readonly pledgeTerms: readonly { readonly days: number; readonly weight: number }[]
  readonly closeHour: number
  readonly dayFundingMax: string
}

export const DECIMALS = { USDT: 6, BTN: 18, BTC: 8 } as const

export const firstPlan = JSON.parse(readFileSync(planFile, 'utf8')) as PlanFile
const perAsset = <T>(make: (asset: Asset) => T): Readonly<Record<Asset, T>> => ({
  USDT: make('USDT'),
  BTN: make('BTN'),
  BTC: make('BTC'),
})

/** The values that are the same in every published version. */
export const plan = {
  transfer: perAsset((asset): TransferTerms => {
    const amount = (name: keyof TransferTerms) => parseUnits(firstPlan.transfer[asset][name], DECIMALS[asset])
    return {
      min: amount('min'),
      max: amount('max'),
      fee: amount('fee'),
      reviewAbove: amount('reviewAbove'),
      decisionAbove: amount('decisionAbove'),
    }
  }),
  quota: (asset: Asset, level: number): bigint =>
    parseUnits(firstPlan.levels[level]?.quotas[asset] ?? '0', DECIMALS[asset]),
}

const otherTerms: PlanFile['pledgeTerms'] = [
  { days: 1, weight: 9_999 },
  { days: 3, weight: 14_007 },
  { days: 5, weight: 20_000 },
]

/**
 * A plan with other prices, parts, rewards, deadlines, terms, hours and daily limit. Everything about transfers out
 * stays, because such a change would wait for a week.
 */
export function drawPlan(random: Random): PlanFile {
  const factor = random.pick([0.5, 0.75, 1.25, 1.5])
  const most = random.pick([0, 1, 2])
  const airdrop = random.pick(['0', '3000000', '60000000'])
  const [upLevel, upLevelLayers] = random.pick([
    ...([[0, 5] as const, [900, 3] as const, [1_000, 5] as const, [800, 4] as const] as const),
  ])
  const rest = { promotion: random.pick([0, 700, 1_500]), agent: random.pick([0, 400, 900]), partner: 300 }
  const shares = { ...rest, upLevel, liquidity: 433, operations: 211 }
  const given = Object.values(shares).reduce((sum, share) => sum + share, 0)
  return {
    ...firstPlan,
    levels: firstPlan.levels.map((level, number) => ({
      ...level,
      price: number === 0 ? '0' : (Number(level.price) * factor).toFixed(6).replace(/\.?0+$/, ''),
      airdrop: number === 0 ? '0' : airdrop,
      rewardsAtMost: number === 0 ? 0 : most + number,
    })),
    allocation: { ...shares, miningFund: 10_000 - given },
    upLevelLayers,
    quoteMinutes: random.pick([5, 20, 60]),
    pledgeTerms: random.pick([firstPlan.pledgeTerms, otherTerms]),
    closeHour: random.pick([0, 6, 12, 12, 20]),
    dayFundingMax: random.pick(['0.01', '0.02', '0.05']),
  }
}
