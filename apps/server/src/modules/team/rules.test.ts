import { describe, expect, it } from 'vitest'
import { countInArea, formatOverview, type TeamFigures, toBranch } from './rules.ts'

/** Layer by layer, each as left, center, right. */
const counts = [1, 1, 1, 3, 2, 1, 9, 5, 0, 20, 3, 0, 40, 0, 0]
const full = [1, 1, 1, 3, 3, 3, 9, 9, 9, 27, 27, 27, 81, 81, 81]
const place: TeamFigures = {
  level: 2,
  activated: true,
  effectiveInvites: 4,
  activeTeams: 2,
  performance: 1_250_500_000n,
  headcounts: counts,
  activatedCounts: counts.map((count) => Math.floor(count / 2)),
}

describe('a count of one area', () => {
  it('covers the given number of layers', () => {
    expect([1, 2, 3].map((branch) => countInArea(counts, branch, 5))).toEqual([73, 11, 2])
    expect([1, 2, 3].map((branch) => countInArea(counts, branch, 1))).toEqual([1, 1, 1])
    expect([1, 2, 3].map((branch) => countInArea(counts, branch, 0))).toEqual([0, 0, 0])
  })

  it('names the areas left, center and right', () => {
    expect([1, 2, 3].map(toBranch)).toEqual(['left', 'center', 'right'])
    expect(() => toBranch(0)).toThrow()
  })
})

describe('the overview', () => {
  it('adds up layers and areas, and shows the performance in whole coins', () => {
    const overview = formatOverview(place, 6)
    expect(overview.performance).toBe('1250.5')
    expect(overview.layers.map(({ headcount }) => headcount)).toEqual([3, 6, 14, 23, 40])
    expect(overview.layers.map(({ capacity }) => capacity)).toEqual([3, 9, 27, 81, 243])
    expect(overview.areas.map(({ headcount }) => headcount)).toEqual([73, 11, 2])
    expect(overview.threeLayers).toEqual({ headcount: 23, capacity: 39, full: false })
    expect(overview.fiveLayers).toEqual({ headcount: 86, capacity: 363, full: false })
  })

  it('shows three layers as full with 39 members, and five with 363', () => {
    const three = full.map((count, index) => (index < 9 ? count : 0))
    expect(formatOverview({ ...place, headcounts: three }, 6)).toMatchObject({
      threeLayers: { headcount: 39, full: true },
      fiveLayers: { headcount: 39, full: false },
    })
    // More than 39 in all, but still not full.
    const gap = full.map((count, index) => (index === 8 ? count - 1 : count))
    expect(formatOverview({ ...place, headcounts: gap }, 6).threeLayers).toEqual({
      headcount: 38,
      capacity: 39,
      full: false,
    })
    expect(formatOverview({ ...place, headcounts: full }, 6).fiveLayers).toEqual({
      headcount: 363,
      capacity: 363,
      full: true,
    })
  })
})
