import fc from 'fast-check'
import { expect, it } from 'vitest'
import { RUNS_PER_ROUND, shareOf } from './checkpoint.ts'

it('thirty runs read every old row, also while the history grows', () => {
  fc.assert(
    fc.property(
      fc.bigInt(0n, 500n),
      fc.array(fc.bigInt(0n, 90n), { minLength: 90, maxLength: 90 }),
      (first, growth) => {
        /** By row, the run that read it last. A new row was read when it came. */
        const readIn = new Map<bigint, number>()
        let all = 0n
        let done = 0n
        const add = (count: bigint, run: number) => {
          for (let row = 1n; row <= count; row += 1n) readIn.set(all + row, run)
          all += count
        }
        add(first, -1)
        for (const [run, added] of growth.entries()) {
          const end = shareOf(done, all, run % RUNS_PER_ROUND)
          for (let row = done + 1n; row <= end; row += 1n) readIn.set(row, run)
          done = run % RUNS_PER_ROUND === RUNS_PER_ROUND - 1 ? 0n : end
          add(added, run)
          expect(Math.min(...readIn.values(), run)).toBeGreaterThan(run - RUNS_PER_ROUND - 1)
        }
      },
    ),
    { numRuns: 100 },
  )
})

it('a run reads an equal share of what the round has left, and the last one all of it', () => {
  expect(shareOf(0n, 3_000n, 0)).toBe(100n)
  expect(shareOf(2_900n, 3_000n, 29)).toBe(3_000n)
  expect(shareOf(5n, 5n, 7)).toBe(5n)
})
