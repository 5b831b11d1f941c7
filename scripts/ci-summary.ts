import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** One section of a run, as the runner writes it down: name, exit status, seconds, and the report of its tests or `-`. */
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

/** `report` is the parsed file, or undefined where there is none. A section that failed never counts as wholly passed. */
export function countOf(section: Section, report: unknown): Count {
  const failed = section.status !== 0
  const tests = report === undefined ? undefined : countTests(report)
  if (section.report === '-' || tests === undefined) {
    // A report that is missing although the section went well means that nothing was tested.
    const passed = !failed && section.report === '-'
    return passed ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 }
  }
  return failed && tests.failed === 0 ? { ...tests, failed: 1 } : tests
}

/** Vitest, Playwright and forge each have their own form. */
export function countTests(report: unknown): Count | undefined {
  if (typeof report !== 'object' || report === null) return undefined
  if ('numPassedTests' in report && 'numFailedTests' in report) {
    return { passed: Number(report.numPassedTests), failed: Number(report.numFailedTests) }
  }
  if ('stats' in report && typeof report.stats === 'object' && report.stats !== null) {
    const { expected = 0, unexpected = 0, flaky = 0 } = report.stats as Record<string, number>
    return { passed: expected, failed: unexpected + flaky }
  }
  const results = Object.values(
    report as Record<string, { test_results?: Record<string, { status: string }> }>,
  ).flatMap((suite) => Object.values(suite?.test_results ?? {}))
  if (results.length === 0) return undefined
  const passed = results.filter(({ status }) => status === 'Success').length
  return { passed, failed: results.length - passed }
}

/** A line for each section, and all of it together. */
export function summarize(sections: readonly Section[]): Count & { lines: string[] } {
  const lines: string[] = []
  const total = { passed: 0, failed: 0, seconds: 0 }
  for (const section of sections) {
    const found = section.report !== '-' && existsSync(section.report)
    const count = countOf(section, found ? JSON.parse(readFileSync(section.report, 'utf8')) : undefined)
    total.passed += count.passed
    total.failed += count.failed
    total.seconds += section.seconds
    const mark = section.status === 0 && count.failed === 0 ? 'ok    ' : 'FAILED'
    const counts = `${count.passed} passed, ${count.failed} failed`
    lines.push(`${mark} ${String(section.seconds).padStart(5)} s  ${section.name.padEnd(40)} ${counts}`)
  }
  lines.push(`       ${String(total.seconds).padStart(5)} s  together`)
  return { passed: total.passed, failed: total.failed, lines }
}

if (import.meta.main) {
  const folder = process.argv[2] ?? 'artifacts/ci'
  const { lines, passed, failed } = summarize(readSections(readFileSync(join(folder, 'sections.tsv'), 'utf8')))
  console.log(`\n==== summary ====\n${lines.join('\n')}\n\n${passed} passed, ${failed} failed`)
  process.exit(failed > 0 || passed === 0 ? 1 : 0)
}
