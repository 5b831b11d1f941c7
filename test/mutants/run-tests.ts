import { spawn } from 'node:child_process'
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'

/** `broken`: no test ran to its end, so the result says nothing about the tests. */
export type TestOutcome =
  | { readonly kind: 'passed' | 'failed' | 'timed-out' }
  | { readonly kind: 'broken'; readonly printed: string }

/** The slowest test file of the list takes about a minute on a busy machine. */
const TIME_LIMIT_MS = 240_000

type Report = {
  readonly numFailedTests: number
  readonly numPassedTests: number
  readonly success: boolean
  readonly testResults: readonly { readonly status: string; readonly assertionResults: readonly unknown[] }[]
}

/** Runs test files with Vitest, in a process of its own, until the first failure. */
export async function runTests(folder: string, tests: readonly string[], only?: string): Promise<TestOutcome> {
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

/** Ends the process, and all that it started, after the time limit. */
const runProcess = (
  program: string,
  args: readonly string[],
  folder: string,
): Promise<{ printed: string; timedOut: boolean }> =>
  new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd: folder, detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
    let printed = ''
    let timedOut = false
    const collect = (chunk: Buffer) => {
      printed = (printed + chunk.toString()).slice(-5_000)
    }
    child.stdout.on('data', collect)
    child.stderr.on('data', collect)
    const timer = setTimeout(() => {
      timedOut = true
      if (child.pid) process.kill(-child.pid, 'SIGKILL')
    }, TIME_LIMIT_MS)
    child.on('error', reject)
    child.on('close', () => {
      clearTimeout(timer)
      resolve({ printed, timedOut })
    })
  })
