import { describe, expect, it } from 'vitest'
import { determinePartnerStanding, formatRequirements, mayApply } from './rules.ts'

const appliedAt = new Date('2026-11-15T00:00:00Z')
const layersOf = (...headcounts: number[]) =>
  headcounts.map((headcount, above) => ({ headcount, capacity: 3 ** (above + 1) }))
const full = { activated: true, layers: layersOf(3, 9, 27, 81, 243) }

describe('the state of a partner application', () => {
  it('is that of the last application, and approved stays approved', () => {
    expect(determinePartnerStanding(null, false)).toBe('none')
    expect(determinePartnerStanding({ appliedAt, decidedAt: null, note: null }, false)).toBe('applied')
    expect(determinePartnerStanding({ appliedAt, decidedAt: appliedAt, note: 'no' }, false)).toBe('rejected')
    expect(determinePartnerStanding({ appliedAt, decidedAt: appliedAt, note: null }, true)).toBe('approved')
  })
})

describe('an application', () => {
  it('can be made by a member who meets the requirements, has no open application and is no partner', () => {
    expect(
      (['none', 'applied', 'approved', 'rejected'] as const).filter((standing) => mayApply(standing, full)),
    ).toEqual(['none', 'rejected'])
  })

  it('needs activation and five full layers', () => {
    expect(mayApply('none', { ...full, activated: false })).toBe(false)
    for (let above = 0; above < 5; above += 1) {
      const layers = full.layers.map((layer, place) =>
        place === above ? { ...layer, headcount: layer.headcount - 1 } : layer,
      )
      expect(mayApply('none', { ...full, layers })).toBe(false)
      expect(formatRequirements({ ...full, layers }).layers[above]).toEqual({
        layer: above + 1,
        members: 3 ** (above + 1) - 1,
        needed: 3 ** (above + 1),
      })
    }
  })
})
