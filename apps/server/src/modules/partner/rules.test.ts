import { describe, expect, it } from 'vitest'
import { mayApply, needsOf, standingOf } from './rules.ts'

const appliedAt = new Date('2026-11-15T00:00:00Z')
const layersOf = (...headcounts: number[]) =>
  headcounts.map((headcount, above) => ({ headcount, capacity: 3 ** (above + 1) }))
const full = { activated: true, layers: layersOf(3, 9, 27, 81, 243) }

describe('a member’s standing', () => {
  it('is that of its last application, and a partner stays one', () => {
    expect(standingOf(null, false)).toBe('none')
    expect(standingOf({ appliedAt, decidedAt: null, note: null }, false)).toBe('applied')
    expect(standingOf({ appliedAt, decidedAt: appliedAt, note: 'no' }, false)).toBe('rejected')
    expect(standingOf({ appliedAt, decidedAt: appliedAt, note: null }, true)).toBe('approved')
  })
})

describe('applying', () => {
  it('is open to whoever has all that it needs and neither waits nor is a partner', () => {
    expect(
      (['none', 'applied', 'approved', 'rejected'] as const).filter((standing) => mayApply(standing, full)),
    ).toEqual(['none', 'rejected'])
  })

  it('needs activation and every layer full', () => {
    expect(mayApply('none', { ...full, activated: false })).toBe(false)
    for (let above = 0; above < 5; above += 1) {
      const layers = full.layers.map((layer, place) =>
        place === above ? { ...layer, headcount: layer.headcount - 1 } : layer,
      )
      expect(mayApply('none', { ...full, layers })).toBe(false)
      expect(needsOf({ ...full, layers }).layers[above]).toEqual({
        layer: above + 1,
        members: 3 ** (above + 1) - 1,
        needed: 3 ** (above + 1),
      })
    }
  })
})
