import { describe, expect, it } from 'vitest'
import { NaiveTeam } from './naive-team.ts'
import { findContradiction, type PlacedMember } from './placement-order.ts'

function rootOnly(): NaiveTeam {
  const team = new NaiveTeam()
  team.place(1, null)
  return team
}

const placedAt = (
  id: number,
  sponsor: number,
  parent: number,
  branch: number,
  asked = 0,
  answered = 9,
): PlacedMember => ({
  id,
  sponsor,
  parent,
  branch,
  asked,
  answered,
})

describe('an order of registrations', () => {
  it('is found if there is one', () => {
    const placed = [
      placedAt(4, 1, 1, 3),
      placedAt(5, 2, 2, 1),
      placedAt(2, 1, 1, 1),
      placedAt(3, 1, 1, 2),
      placedAt(6, 1, 2, 2),
    ]
    expect(findContradiction(rootOnly(), placed)).toBeNull()
  })

  it.each([
    ['an open place was passed over', [placedAt(2, 1, 1, 1), placedAt(3, 1, 1, 3)], 'skipped an open place'],
    ['two members are in one place', [placedAt(2, 1, 1, 1), placedAt(3, 1, 1, 1)], 'two members are at 1'],
    ['a member is below an unknown member', [placedAt(2, 1, 7, 1)], 'who has no place'],
    [
      'two members must each have come before the other',
      // 5 skipped the center place of 2 for the left place of 3, so 6 was there before. But 6, invited by 2, skipped
      // nothing and asked after 5 was answered.
      [
        placedAt(2, 1, 1, 1),
        placedAt(3, 1, 1, 2),
        placedAt(4, 1, 1, 3),
        placedAt(7, 2, 2, 1),
        placedAt(5, 1, 2, 3, 0, 1),
        placedAt(6, 2, 2, 2, 2, 3),
      ],
      'no order of registrations',
    ],
    [
      'a member that was answered first has a later place',
      [placedAt(2, 1, 1, 2, 0, 1), placedAt(3, 1, 1, 1, 2, 3)],
      'no order of registrations',
    ],
  ])('does not exist if %s', (_what, placed, why) => {
    expect(findContradiction(rootOnly(), placed)).toContain(why)
  })
})
