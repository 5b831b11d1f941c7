import { describe, expect, it } from 'vitest'
import { findFactFaults, findNamedTests, findTestsNotRun, readRows } from './check-facts.ts'
import { readRepositoryFiles } from './repository-files.ts'

const page = readRepositoryFiles(/^docs\/spec-coverage\.md$/).get('docs/spec-coverage.md') ?? ''
const tests = readRepositoryFiles(/\.(?:test|spec)\.tsx?$/)
const withRow = (id: string, shownBy: string) =>
  page.replace(new RegExp(`^(\\| ${id} \\|.*\\|)[^|]*\\|$`, 'm'), `$1 ${shownBy} |`)

const guard = 'apps/web/src/app/guard.test.ts'

describe('the page of facts', () => {
  it('is read row by row, and a file applies to all titles after it', () => {
    expect(readRows('| 1.1 | A fact. | `a.test.ts` “is so” |\n| id | fact | shown by |')).toEqual([
      { id: '1.1', shownBy: '`a.test.ts` “is so”' },
    ])
    expect(findNamedTests('`a.test.ts` “one”, “two”; `b.spec.ts` “three”')).toEqual([
      { file: 'a.test.ts', title: 'one' },
      { file: 'a.test.ts', title: 'two' },
      { file: 'b.spec.ts', title: 'three' },
    ])
  })

  it('has no faults', () => {
    expect(findFactFaults(page, tests)).toEqual([])
  })

  it.each([
    ['a fact without a row', page.replace(/^\| 2\.2 \|.*\n/m, ''), '2.2 has no row'],
    ['a fact twice', page.replace(/^(\| 2\.2 \|.*\n)/m, '$1$1'), '2.2 has two rows'],
    ['a missing file', withRow('2.2', '`gone.test.ts` “is so”'), '2.2: there is no gone.test.ts'],
    ['a missing test', withRow('2.2', `\`${guard}\` “flies”`), `2.2: no test in ${guard} is called “flies”`],
    ['a fact without a test', withRow('2.2', 'seen by eye'), '2.2 names no test'],
    [
      'a wrong count',
      page.replace(/\| all \| \d+ \|/, '| all | 7 |'),
      `the table at the top does not say “all”: ${readRows(page).length}`,
    ],
  ])('that has %s is refused', (_, changed, fault) => {
    expect(findFactFaults(changed, tests)).toContain(fault)
  })

  it('that names a skipped test is refused', () => {
    const skipping = new Map(tests).set(guard, `${tests.get(guard)}\nit.skip('later', () => {})\n`)
    expect(findFactFaults(page, skipping)).toContain(`2.2: ${guard} skips tests`)
  })

  it('that names a test which did not run is refused', () => {
    const row = '| 1.1 | A fact. | `test/e2e/one.spec.ts` “goes to %s, and”; `apps/web/src/two.test.ts` “is so” |'
    const passed = [
      { path: '/test/e2e/one.spec.ts', name: 'a page goes to /home, and stays' },
      { path: '/anywhere/apps/web/src/two.test.ts', name: 'it is so' },
    ]
    expect(findTestsNotRun(row, passed)).toEqual([])
    expect(findTestsNotRun(row, passed.slice(1))).toEqual([
      '1.1: no report says that “goes to %s, and” of test/e2e/one.spec.ts passed',
    ])
  })
})
