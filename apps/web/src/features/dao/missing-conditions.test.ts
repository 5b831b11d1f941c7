import { describe, expect, it } from 'vitest'
import { listMissingConditions } from './missing-conditions.ts'

const layers = (...members: number[]) =>
  members.map((count, place) => ({ layer: place + 1, members: count, needed: 3 ** (place + 1) }))

describe('the missing conditions of a partner application', () => {
  it('are activation, and the number of missing members of each layer that is not full', () => {
    expect(listMissingConditions({ activated: false, layers: layers(3, 9, 27, 80, 0) })).toEqual([
      { kind: 'activation' },
      { kind: 'layer', layer: 4, members: 1 },
      { kind: 'layer', layer: 5, members: 243 },
    ])
  })

  it('are none once the member is activated and five layers are full', () => {
    expect(listMissingConditions({ activated: true, layers: layers(3, 9, 27, 81, 243) })).toEqual([])
  })
})
