import { describe, expect, it } from 'vitest'
import { missingFor } from './partner-needs.ts'

const layers = (...members: number[]) =>
  members.map((count, place) => ({ layer: place + 1, members: count, needed: 3 ** (place + 1) }))

describe('what is missing to become a partner', () => {
  it('is activation, and in each layer that is not full as many as can still stand there', () => {
    expect(missingFor({ activated: false, layers: layers(3, 9, 27, 80, 0) })).toEqual([
      { what: 'activation' },
      { what: 'layer', layer: 4, members: 1 },
      { what: 'layer', layer: 5, members: 243 },
    ])
  })

  it('is nothing once activated with five full layers', () => {
    expect(missingFor({ activated: true, layers: layers(3, 9, 27, 81, 243) })).toEqual([])
  })
})
