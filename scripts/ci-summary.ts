import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import type { PlaywrightSuite, VitestFile } from './test-reports.ts'

/** One section of a CI run, as .ci/run records it: name, exit status, seconds, and the report of its tests or `-`. */
export type Section = {
  readonly name: string
  readonly status: number
  readonly seconds: number
  readonly report: string
}
export type Count = { readonly passed: number; readonly failed: number }

export const readSections = (text: string): Section[] =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const [name = '', status = '1', seconds = '0', report = '-'] = line.split('\t')
      return { name, status: Number(status), seconds: Number(seconds), report }
    })

/** `report` is the parsed file, or undefined if there is none. A failed section always counts at least one failure. */
export function countSection(section: Section, report: unknown): Count {
  const failed = section.status !== 0
  const tests = report === undefined ? undefined : countTests(report)
  if (section.report === '-' || tests === undefined) {
    // A missing report of a successful section means that nothing was tested, so it counts as a failure.
    const passed = !failed && section.report === '-'
    return passed ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 }
  }
  return failed && tests.failed === 0 ? { ...tests, failed: 1 } : tests
}

/** Vitest, Playwright and forge each have their own report format. */
export function countTests(report: unknown): Count | undefined {
  if (typeof report !== 'object' || report === null) return undefined
  if ('numPassedTests' in report && 'numFailedTests' in report) {
    return { passed: Number(report.numPassedTests), failed: Number(report.numFailedTests) }
  }
  if ('stats' in report && typeof report.stats === 'object' && report.stats !== null) {
    const { expected = 0, unexpected = 0, flaky = 0 } = report.stats as Record<string, number>
    return { passed: expected, failed: unexpected + flaky }
  }
  const results = Object.values(report as ForgeReport).flatMap((suite) => Object.values(suite?.test_results ?? {}))
  if (results.length === 0) return undefined
  const passed = results.filter(({ status }) => status === 'Success').length
  return { passed, failed: results.length - passed }
}

/** The failed tests with their reasons, so that the end of the output shows them even if the rest is lost. */
export function findFailedTests(report: unknown): FailedTest[] {
  if (typeof report !== 'object' || report === null) return []
  if ('testResults' in report && Array.isArray(report.testResults)) {
    return (report.testResults as VitestFile[]).flatMap((file) => {
      const failed = file.assertionResults
        .filter(({ status }) => status === 'failed')
        .map(({ fullName, failureMessages }) => ({ name: fullName, why: shortenMessage(failureMessages[0]) }))
      // A file that could not be run has no test results.
      return failed.length === 0 && file.status === 'failed'
        ? [{ name: file.name, why: shortenMessage(file.message) }]
        : failed
    })
  }
  if ('suites' in report && Array.isArray(report.suites)) {
    return (report.suites as PlaywrightSuite[]).flatMap((suite) => findFailedSpecs(suite))
  }
  return Object.values(report as ForgeReport).flatMap((suite) =>
    Object.entries(suite?.test_results ?? {}).flatMap(([name, { status, reason }]) =>
      status === 'Success' ? [] : [{ name, why: shortenMessage(reason) }],
    ),
  )
}

export type FailedTest = { readonly name: string; readonly why: readonly string[] }

/** The first lines of a failure: what was expected, and where in our own code. Lines of libraries are left out. */
function shortenMessage(message: string | null | undefined): string[] {
  return stripVTControlCharacters(message ?? '')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !/node_modules|node:internal/.test(line))
    .slice(0, 12)
}

type ForgeReport = Record<string, { test_results?: Record<string, { status: string; reason?: string | null }> }>

function findFailedSpecs(suite: PlaywrightSuite, above: readonly string[] = []): FailedTest[] {
  const titles = [...above, suite.title]
  const own = (suite.specs ?? []).flatMap(({ title, tests }) => {
    const failed = tests.find(({ status }) => status === 'unexpected' || status === 'flaky')
    if (!failed) return []
    const error = failed.results.find((result) => result.error)?.error
    return [{ name: [...titles, title].join(' > '), why: shortenMessage(error?.stack ?? error?.message) }]
  })
  return [...own, ...(suite.suites ?? []).flatMap((below) => findFailedSpecs(below, titles))]
}

/** The end of a section's output, for a failure that no report names. */
function readLastLines(log: string): string[] {
  if (!existsSync(log)) return []
  const lines = stripVTControlCharacters(readFileSync(log, 'utf8')).split('\n')
  return lines.filter((line) => line.trim() !== '').slice(-30)
}

/**
 * One line for each section, with its failed tests, and the totals. `logs` is the folder with the sections' outputs.
 */
export function summarize(sections: readonly Section[], logs?: string): Count & { lines: string[] } {
  const lines: string[] = []
  const total = { passed: 0, failed: 0, seconds: 0 }
  for (const section of sections) {
    const found = section.report !== '-' && existsSync(section.report)
    const report: unknown = found ? JSON.parse(readFileSync(section.report, 'utf8')) : undefined
    const count = countSection(section, report)
    total.passed += count.passed
    total.failed += count.failed
    total.seconds += section.seconds
    const mark = section.status === 0 && count.failed === 0 ? 'ok    ' : 'FAILED'
    const counts = `${count.passed} passed, ${count.failed} failed`
    lines.push(`${mark} ${String(section.seconds).padStart(5)} s  ${section.name.padEnd(40)} ${counts}`)
    const tests = findFailedTests(report)
    for (const { name, why } of tests) {
      lines.push(`               ${name}`, ...why.map((line) => `                   ${line}`))
    }
    if (logs && count.failed > 0 && tests.length === 0) {
      lines.push(...readLastLines(join(logs, `${section.name}.log`)).map((line) => `               ${line}`))
    }
  }
  lines.push(`       ${String(total.seconds).padStart(5)} s  together`)
  return { passed: total.passed, failed: total.failed, lines }
}

if (import.meta.main) {
  // Some sections run side by side, so the whole run takes less time than they do together.
  const [folder = 'artifacts/ci', wholeSeconds = '?'] = process.argv.slice(2)
  const { lines, passed, failed } = summarize(readSections(readFileSync(join(folder, 'sections.tsv'), 'utf8')), folder)
  const whole = `       ${wholeSeconds.padStart(5)} s  from start to end`
  console.log(`\n==== summary ====\n${lines.join('\n')}\n${whole}\n\n${passed} passed, ${failed} failed`)
  process.exit(failed > 0 || passed === 0 ? 1 : 0)
}
