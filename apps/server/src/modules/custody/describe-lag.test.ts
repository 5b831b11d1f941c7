import { expect, it } from 'vitest'
import { findFurthest } from '../../platform/chain/node-heads.ts'
import { describeLag } from './describe-lag.ts'

const time = new Date(0)
const describeHeads = (numbers: Record<string, bigint>, agreed: bigint, minutesWithoutProgress = 0) => {
  const heads = Object.entries(numbers).map(([name, number]) => ({ node: { name }, finalized: { number, time } }))
  const chain = { finalized: { number: agreed }, furthest: findFurthest(heads), heads }
  return describeLag(chain, minutesWithoutProgress * 60_000)
}

it('names both nodes if one of two is behind', () => {
  expect(describeHeads({ one: 9n, other: 9n }, 9n)).toBeNull()
  expect(describeHeads({ one: 12n, other: 9n }, 9n)).toBe('block 10 is final by one, and not by other')
})

it('names the node of the turn if it is behind two others', () => {
  expect(describeHeads({ one: 9n, other: 12n, third: 12n }, 9n)).toBe(
    'block 10 is final by other and third, and not by one',
  )
})

it('says nothing about one of three that is ahead, unless the others stand still', () => {
  const heads = { one: 9n, other: 9n, third: 10_000n }
  expect(describeHeads(heads, 9n, 19)).toBeNull()
  expect(describeHeads(heads, 9n, 20)).toBe('block 10 is final by third, and not by one and other')
  expect(describeHeads({ one: 9n, other: 9n, third: 9n }, 9n, 20)).toBeNull()
})
