import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { isContractTest, runContractTests } from './run-contract-tests.ts'
import { runProcess } from './run-process.ts'
import type { TestOutcome } from './test-outcome.ts'

/** The slowest test file of the list takes about a minute on a busy machine. */
const TIME_LIMIT_MS = 240_000

type Report = {
  readonly numFailedTests: number
  readonly numPassedTests: number
  readonly success: boolean
  readonly testResults: readonly { readonly status: string; readonly assertionResults: readonly unknown[] }[]
}

/** Runs test files in a process of their own, until the first failure: those of contracts with forge, others with Vitest. */
export const runTests = (folder: string, tests: readonly string[], only?: string): Promise<TestOutcome> =>
  tests.every(isContractTest) ? runContractTests(folder, tests) : runVitest(folder, tests, only)

async function runVitest(folder: string, tests: readonly string[], only?: string): Promise<TestOutcome> {
  const report = join(folder, 'artifacts', 'mutant-report.json')
  await rm(report, { force: true })
  const args = ['run', '--project', 'unit', '--project', 'integration', '--bail', '1', '--reporter', 'json']
  const { printed, timedOut } = await runProcess(
    process.execPath,
    [
      join(folder, 'node_modules/vitest/vitest.mjs'),
      ...args,
      '--outputFile',
      report,
      ...(only ? ['-t', only] : []),
      ...tests,
    ],
    folder,
    { limitMs: TIME_LIMIT_MS, kept: 5_000 },
  )
  if (timedOut) return { kind: 'timed-out' }
  const result = await readFile(report, 'utf8')
    .then((text) => JSON.parse(text) as Report)
    .catch(() => null)
  if (result === null) return { kind: 'broken', printed }
  // If the set-up of a test file fails, its tests are listed and none of them has failed.
  const failedInSetUp = result.testResults.some(
    ({ status, assertionResults }) => status === 'failed' && assertionResults.length > 0,
  )
  if (result.numFailedTests > 0 || failedInSetUp) return { kind: 'failed' }
  return result.success && result.numPassedTests > 0 ? { kind: 'passed' } : { kind: 'broken', printed }
}
