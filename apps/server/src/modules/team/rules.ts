import { formatAmount, units } from '@lode/kernel'
import { branches, type DataOf } from '@lode/wire'

export const LAYERS = 5

type Branch = (typeof branches)[number]

/** By the number in the database. */
export function branchOf(number: number): Branch {
  const branch = branches[number - 1]
  if (branch === undefined) throw new Error(`there is no branch ${number}`)
  return branch
}

/** Five layers by three areas, layer by layer. */
export type Counts = readonly number[]

/** The count of one area, from the first layer down to the given one. */
export const countIn = (counts: Counts, branch: number, layers: number): number =>
  sum(counts.filter((_, place) => place % 3 === branch - 1 && place < 3 * layers))

const capacityOf = (layer: number): number => 3 ** layer

export type Place = {
  readonly level: number
  readonly activated: boolean
  readonly effectiveInvites: number
  readonly activeTeams: number
  readonly performance: bigint
  readonly headcounts: Counts
  readonly activatedCounts: Counts
}

type Layer = { readonly headcount: number; readonly activated: number; readonly capacity: number }

/** From the first layer to the fifth. */
export const layersOf = ({ headcounts, activatedCounts }: Pick<Place, 'headcounts' | 'activatedCounts'>): Layer[] =>
  Array.from({ length: LAYERS }, (_, above) => ({
    headcount: sum(headcounts.slice(3 * above, 3 * above + 3)),
    activated: sum(activatedCounts.slice(3 * above, 3 * above + 3)),
    capacity: capacityOf(above + 1),
  }))

export function overviewOf(place: Place, usdtDecimals: number): DataOf<'team/overview'> {
  const { level, activated, effectiveInvites, activeTeams, headcounts, activatedCounts } = place
  const layers = layersOf(place)
  const first = (count: number) => {
    const headcount = sum(layers.slice(0, count).map((layer) => layer.headcount))
    const capacity = sum(layers.slice(0, count).map((layer) => layer.capacity))
    return { headcount, capacity, full: headcount === capacity }
  }
  return {
    level,
    activated,
    effectiveInvites,
    activeTeams,
    performance: formatAmount(units('USDT', place.performance), usdtDecimals),
    layers,
    threeLayers: first(3),
    fiveLayers: first(LAYERS),
    areas: branches.map((branch, place) => ({
      branch,
      headcount: countIn(headcounts, place + 1, LAYERS),
      activated: countIn(activatedCounts, place + 1, LAYERS),
    })),
  }
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)
