import { formatAmount, units } from '@lode/kernel'
import { branches, type DataOf } from '@lode/wire'

export const LAYERS = 5

type Branch = (typeof branches)[number]

/** Returns the branch that the database stores as this number: 1 is left, 2 is center, 3 is right. */
export function toBranch(number: number): Branch {
  const branch = branches[number - 1]
  if (branch === undefined) throw new Error(`there is no branch ${number}`)
  return branch
}

/** 15 counts: left, center and right of the first layer, then of the second, and so on to the fifth. */
export type Counts = readonly number[]

/** How many members one area has in the first `layerCount` layers. */
export const countInArea = (counts: Counts, branchNumber: number, layerCount: number): number =>
  sum(counts.filter((_, index) => index % 3 === branchNumber - 1 && index < 3 * layerCount))

const capacityOf = (layer: number): number => 3 ** layer

export type TeamFigures = {
  readonly level: number
  readonly activated: boolean
  readonly effectiveInvites: number
  readonly activeTeams: number
  readonly performance: bigint
  readonly headcounts: Counts
  readonly activatedCounts: Counts
}

type Layer = { readonly headcount: number; readonly activated: number; readonly capacity: number }

/** The counts by layer, from the first layer to the fifth. */
export const computeLayers = ({
  headcounts,
  activatedCounts,
}: Pick<TeamFigures, 'headcounts' | 'activatedCounts'>): Layer[] =>
  Array.from({ length: LAYERS }, (_, index) => ({
    headcount: sum(headcounts.slice(3 * index, 3 * index + 3)),
    activated: sum(activatedCounts.slice(3 * index, 3 * index + 3)),
    capacity: capacityOf(index + 1),
  }))

export function formatOverview(figures: TeamFigures, usdtDecimals: number): DataOf<'team/overview'> {
  const { level, activated, effectiveInvites, activeTeams, headcounts, activatedCounts } = figures
  const layers = computeLayers(figures)
  const sumFirstLayers = (count: number) => {
    const headcount = sum(layers.slice(0, count).map((layer) => layer.headcount))
    const capacity = sum(layers.slice(0, count).map((layer) => layer.capacity))
    return { headcount, capacity, full: headcount === capacity }
  }
  return {
    level,
    activated,
    effectiveInvites,
    activeTeams,
    performance: formatAmount(units('USDT', figures.performance), usdtDecimals),
    layers,
    threeLayers: sumFirstLayers(3),
    fiveLayers: sumFirstLayers(LAYERS),
    areas: branches.map((branch, index) => ({
      branch,
      headcount: countInArea(headcounts, index + 1, LAYERS),
      activated: countInArea(activatedCounts, index + 1, LAYERS),
    })),
  }
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)
