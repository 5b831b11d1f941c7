import { readFileSync } from 'node:fs'
import { readRepositoryFiles } from './repository-files.ts'
import { findPassedTests, type PassedTest } from './test-reports.ts'

/**
 * Checks docs/spec-coverage.md: every fact has a row, every named test exists, and the counts at the top match the rows.
 * `--ran REPORT…` checks instead that every named test is in the reports of Vitest and Playwright as passed.
 */

/** The number of facts in each section. Facts are never removed, so these numbers never decrease. */
const FACTS = [21, 39, 46, 8, 10, 4, 12, 35, 7]

type Row = { readonly id: string; readonly shownBy: string }
type NamedTest = { readonly file: string; readonly title: string }

export const readRows = (page: string): Row[] =>
  Array.from(page.matchAll(/^\| (\d+\.\d+) \|.*\| ([^|]*) \|$/gm), ([, id = '', shownBy = '']) => ({ id, shownBy }))

/** A file, followed by the beginnings of its test titles. */
export function findNamedTests(shownBy: string): NamedTest[] {
  let file = ''
  return Array.from(shownBy.matchAll(/`([^`]+)`|“([^”]+)”/g)).flatMap(([, code, title]) => {
    if (code !== undefined) file = code
    return title === undefined ? [] : [{ file, title }]
  })
}

const isNotBuilt = ({ shownBy }: Row): boolean => shownBy.startsWith('not built yet')
const hasNoTest = ({ shownBy }: Row): boolean => shownBy.startsWith('built, no test of its own')

/** `tests`: the text of every test file by its path. */
export function findFactFaults(page: string, tests: ReadonlyMap<string, string>): string[] {
  const rows = readRows(page)
  return [...findIdFaults(rows), ...findCountFaults(page, rows), ...rows.flatMap((row) => findRowFaults(row, tests))]
}

function findIdFaults(rows: readonly Row[]): string[] {
  const wanted = FACTS.flatMap((count, place) => Array.from({ length: count }, (_, fact) => `${place + 1}.${fact + 1}`))
  const ids = rows.map(({ id }) => id)
  return [
    ...wanted.filter((id) => !ids.includes(id)).map((id) => `${id} has no row`),
    ...ids.filter((id, place) => ids.indexOf(id) !== place).map((id) => `${id} has two rows`),
    ...ids.filter((id) => !wanted.includes(id)).map((id) => `${id} is no fact`),
  ]
}

function findCountFaults(page: string, rows: readonly Row[]): string[] {
  const [unbuilt, untested] = [rows.filter(isNotBuilt).length, rows.filter(hasNoTest).length]
  const counts = {
    'built, shown by a test': rows.length - unbuilt - untested,
    'built, no test of its own': untested,
    'not built yet': unbuilt,
    all: rows.length,
  }
  return Object.entries(counts).flatMap(([name, count]) =>
    page.includes(`\n| ${name} | ${count} |\n`) ? [] : [`the table at the top does not say “${name}”: ${count}`],
  )
}

function findRowFaults(row: Row, tests: ReadonlyMap<string, string>): string[] {
  const named = findNamedTests(row.shownBy)
  if (named.length === 0 && !isNotBuilt(row) && !hasNoTest(row)) return [`${row.id} names no test`]
  return named.flatMap(({ file, title }) => {
    const text = tests.get(file)
    if (text === undefined) return [`${row.id}: there is no ${file}`]
    if (!text.includes(title)) return [`${row.id}: no test in ${file} is called “${title}”`]
    return SKIPPED.test(text) ? [`${row.id}: ${file} skips tests`] : []
  })
}

/** Whatever keeps a test, or all other tests of its file, from running. */
const SKIPPED = /\b(?:it|test|describe)\.(?:skip|only|todo|fixme)\b/

/** The named tests that no report has as passed. */
export const findTestsNotRun = (page: string, passed: readonly PassedTest[]): string[] =>
  readRows(page).flatMap(({ id, shownBy }) =>
    findNamedTests(shownBy)
      .filter(({ file, title }) => {
        const pattern = titlePattern(title)
        return !passed.some(({ path, name }) => path.endsWith(`/${file}`) && pattern.test(name))
      })
      .map(({ file, title }) => `${id}: no report says that “${title}” of ${file} passed`),
  )

/** Matches the title with any values in its places: `%s` and `$name` in the source are values in the report. */
function titlePattern(title: string): RegExp {
  const parts = title.split(/%[a-z]|\$\{[^}]*\}|\$\w+/)
  return new RegExp(parts.map((part) => part.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')).join('.*'), 's')
}

if (import.meta.main) {
  const page = readRepositoryFiles(/^docs\/spec-coverage\.md$/).get('docs/spec-coverage.md') ?? ''
  const [option, ...reports] = process.argv.slice(2)
  const faults =
    option === '--ran'
      ? findTestsNotRun(page, reports.flatMap(readPassedTests))
      : findFactFaults(page, readRepositoryFiles(/\.(?:test|spec)\.tsx?$/))
  for (const fault of faults) console.error(fault)
  if (faults.length > 0) process.exit(1)
  console.log(
    `facts: ${readRows(page).length} rows, every test that they name ${option === '--ran' ? 'passed' : 'exists'}`,
  )
}

function readPassedTests(report: string): PassedTest[] {
  const parsed: unknown = JSON.parse(readFileSync(report, 'utf8'))
  return findPassedTests(parsed)
}
