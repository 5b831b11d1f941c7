import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { countSection, countTests, findFailedTests, readSections, summarize } from './ci-summary.ts'

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
  it('without a report counts as one test', () => {
    expect(countSection(section({ report: '-' }), undefined)).toEqual({ passed: 1, failed: 0 })
    expect(countSection(section({ report: '-', status: 1 }), undefined)).toEqual({ passed: 0, failed: 1 })
  })

  it('whose report is missing has failed', () => {
    expect(countSection(section({}), undefined)).toEqual({ passed: 0, failed: 1 })
  })

  it('with an exit status other than 0 has a failure even if all its tests passed', () => {
    expect(countSection(section({ status: 1 }), { numPassedTests: 5, numFailedTests: 0 })).toEqual({
      passed: 5,
      failed: 1,
    })
  })

  it('that tested nothing has failed', () => {
    expect(countSection(section({}), {})).toEqual({ passed: 0, failed: 1 })
  })

  it('is read from its line', () => {
    expect(readSections('e2e\t0\t3\te2e.json\n')).toEqual([section({})])
  })
})

describe('a failure is listed with its reason', () => {
  it('for Vitest by the test, or by the file that could not be run', () => {
    const report = {
      testResults: [
        {
          name: 'a.test.ts',
          status: 'failed',
          assertionResults: [
            {
              fullName: 'money adds up',
              status: 'failed',
              failureMessages: [
                'AssertionError: \u001b[31mexpected 1 to be 2\u001b[39m\n    at node_modules/chai.js:1:1\n    at a.test.ts:3:9',
              ],
            },
            { fullName: 'money is counted', status: 'passed', failureMessages: [] },
          ],
        },
        { name: 'b.test.ts', status: 'failed', message: 'no such file', assertionResults: [] },
        {
          name: 'c.test.ts',
          status: 'passed',
          assertionResults: [{ fullName: 'it holds', status: 'passed', failureMessages: [] }],
        },
      ],
    }
    expect(findFailedTests(report)).toEqual([
      { name: 'money adds up', why: ['AssertionError: expected 1 to be 2', 'at a.test.ts:3:9'] },
      { name: 'b.test.ts', why: ['no such file'] },
    ])
  })

  it('for Playwright with its file, even if the retry passed', () => {
    const results = [{ error: { message: 'Timed out', stack: 'Timed out\n  at home.spec.ts:4:1' } }, {}]
    const spec = (title: string, status: string) => ({ title, tests: [{ status, results }] })
    const report = {
      suites: [
        {
          title: 'home.spec.ts',
          specs: [spec('opens', 'expected'), spec('shows figures', 'flaky')],
          suites: [{ title: 'offline', specs: [spec('says so', 'unexpected')] }],
        },
      ],
    }
    expect(findFailedTests(report)).toEqual(
      ['home.spec.ts > shows figures', 'home.spec.ts > offline > says so'].map((name) => ({
        name,
        why: ['Timed out', 'at home.spec.ts:4:1'],
      })),
    )
  })

  it('for forge by the test, and nothing is listed without a report', () => {
    const report = {
      'Vault.t.sol:Vault': {
        test_results: { 'testPay()': { status: 'Failure', reason: 'Paused()' }, 'testFund()': { status: 'Success' } },
      },
    }
    expect(findFailedTests(report)).toEqual([{ name: 'testPay()', why: ['Paused()'] }])
    expect(findFailedTests(undefined)).toEqual([])
  })

  it('for a section without a report by the end of its output', () => {
    const folder = mkdtempSync(join(tmpdir(), 'ci-summary-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    writeFileSync(
      join(folder, 'simulator.log'),
      `${'step\n'.repeat(100)}\nseed 7 failed: \u001b[31mmoney\u001b[39m was lost\n`,
    )
    const { lines } = summarize([{ name: 'simulator', status: 1, seconds: 2, report: '-' }], folder)
    expect(lines.map((line) => line.trim())).toContain('seed 7 failed: money was lost')
    expect(lines.length).toBeLessThan(40)
  })
})
