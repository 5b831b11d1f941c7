import { join } from 'node:path'
import { runProcess } from './run-process.ts'
import type { TestOutcome } from './test-outcome.ts'

/** Compiling takes most of it: half a minute alone, minutes on a busy machine. */
const TIME_LIMIT_MS = 900_000
/** More than any report of the tests of two files. */
const REPORT_LENGTH = 4_000_000

type Report = Readonly<Record<string, { readonly test_results: Readonly<Record<string, { readonly status: string }>> }>>

export const isContractTest = (test: string): boolean => test.endsWith('.t.sol')

/** Runs test files of contracts with forge. A contract that does not compile says nothing about the tests. */
export async function runContractTests(folder: string, tests: readonly string[]): Promise<TestOutcome> {
  const contracts = join(folder, 'packages/contracts')
  const files = tests.map((test) => join(folder, test)).join(',')
  const { printed, timedOut } = await runProcess(
    'env',
    [
      // An error can leave a variable unused, which is a warning.
      'FOUNDRY_DENY=never',
      process.execPath,
      join(contracts, 'tools/forge.ts'),
      'test',
      '--json',
      '--match-path',
      tests.length > 1 ? `{${files}}` : files,
    ],
    contracts,
    { limitMs: TIME_LIMIT_MS, kept: REPORT_LENGTH },
  )
  const line = printed.split('\n').findLast((text) => text.includes('"test_results"'))
  if (timedOut || line === undefined) return { kind: 'broken', printed: printed.slice(-5_000) }
  const statuses = Object.values(JSON.parse(line.slice(line.indexOf('{'))) as Report).flatMap(({ test_results }) =>
    Object.values(test_results).map(({ status }) => status),
  )
  if (statuses.length === 0) return { kind: 'broken', printed: printed.slice(-5_000) }
  return { kind: statuses.every((status) => status === 'Success') ? 'passed' : 'failed' }
}
