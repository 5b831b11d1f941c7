import { describe, expect, it } from 'vitest'
import { NaiveTeam } from './naive-team.ts'
import { contradictionIn, type Placed } from './order-of-coming.ts'

function rootOnly(): NaiveTeam {
  const team = new NaiveTeam()
  team.place(1, null)
  return team
}

const at = (id: number, sponsor: number, parent: number, branch: number, asked = 0, answered = 9): Placed => ({
  id,
  sponsor,
  parent,
  branch,
  asked,
  answered,
})

describe('who came in what order', () => {
  it('is found where there is one', () => {
    const placed = [at(4, 1, 1, 3), at(5, 2, 2, 1), at(2, 1, 1, 1), at(3, 1, 1, 2), at(6, 1, 2, 2)]
    expect(contradictionIn(rootOnly(), placed)).toBeNull()
  })

  it.each([
    ['an open place was passed over', [at(2, 1, 1, 1), at(3, 1, 1, 3)], 'behind an open place'],
    ['two stand in one place', [at(2, 1, 1, 1), at(3, 1, 1, 1)], 'two stand at 1'],
    ['somebody stands below nobody', [at(2, 1, 7, 1)], 'who stands nowhere'],
    [
      'two can only have come before each other',
      // 5 skipped the center place of 2 for the left place of 3, so 6 was there before. But 6, invited by 2, skipped
      // nothing and asked after 5 was answered.
      [at(2, 1, 1, 1), at(3, 1, 1, 2), at(4, 1, 1, 3), at(7, 2, 2, 1), at(5, 1, 2, 3, 0, 1), at(6, 2, 2, 2, 2, 3)],
      'no order of coming',
    ],
    ['one who was answered first stands behind', [at(2, 1, 1, 2, 0, 1), at(3, 1, 1, 1, 2, 3)], 'no order of coming'],
  ])('is denied where %s', (_what, placed, why) => {
    expect(contradictionIn(rootOnly(), placed)).toContain(why)
  })
})
