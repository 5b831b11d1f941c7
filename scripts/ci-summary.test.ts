import { describe, expect, it } from 'vitest'
import { countOf, countTests, readSections } from './ci-summary.ts'

const section = (change: { status?: number; report?: string }) => ({
  name: 'e2e',
  status: 0,
  seconds: 3,
  report: 'e2e.json',
  ...change,
})

describe('tests are counted', () => {
  it.each([
    ['Vitest', { numPassedTests: 5, numFailedTests: 2 }, { passed: 5, failed: 2 }],
    ['Playwright', { stats: { expected: 4, unexpected: 1, flaky: 1, skipped: 0 } }, { passed: 4, failed: 2 }],
    [
      'forge',
      { 'test/A.t.sol:A': { test_results: { 'a()': { status: 'Success' }, 'b()': { status: 'Failure' } } } },
      { passed: 1, failed: 1 },
    ],
  ])('from the report of %s', (_runner, report, count) => {
    expect(countTests(report)).toEqual(count)
  })
})

describe('a section', () => {
  it('without a report counts as one', () => {
    expect(countOf(section({ report: '-' }), undefined)).toEqual({ passed: 1, failed: 0 })
    expect(countOf(section({ report: '-', status: 1 }), undefined)).toEqual({ passed: 0, failed: 1 })
  })

  it('that should have reported and did not has failed', () => {
    expect(countOf(section({}), undefined)).toEqual({ passed: 0, failed: 1 })
  })

  it('that ended badly has a failure even where all its tests passed', () => {
    expect(countOf(section({ status: 1 }), { numPassedTests: 5, numFailedTests: 0 })).toEqual({ passed: 5, failed: 1 })
  })

  it('that tested nothing has failed', () => {
    expect(countOf(section({}), {})).toEqual({ passed: 0, failed: 1 })
  })

  it('is read from its line', () => {
    expect(readSections('e2e\t0\t3\te2e.json\n')).toEqual([section({})])
  })
})
