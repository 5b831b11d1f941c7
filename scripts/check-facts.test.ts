import { describe, expect, it } from 'vitest'
import { faultsOf, rowsOf, testsNamedIn } from './check-facts.ts'
import { repositoryFiles } from './repository-files.ts'

const page = repositoryFiles(/^docs\/spec-coverage\.md$/).get('docs/spec-coverage.md') ?? ''
const tests = repositoryFiles(/\.(?:test|spec)\.tsx?$/)
const withRow = (id: string, shownBy: string) =>
  page.replace(new RegExp(`^(\\| ${id} \\|.*\\|)[^|]*\\|$`, 'm'), `$1 ${shownBy} |`)

describe('the page of facts', () => {
  it('is read row by row, and a file counts for all names after it', () => {
    expect(rowsOf('| 1.1 | A fact. | `a.test.ts` “is so” |\n| id | fact | shown by |')).toEqual([
      { id: '1.1', shownBy: '`a.test.ts` “is so”' },
    ])
    expect(testsNamedIn('`a.test.ts` “one”, “two”; `b.spec.ts` “three”')).toEqual([
      { file: 'a.test.ts', title: 'one' },
      { file: 'a.test.ts', title: 'two' },
      { file: 'b.spec.ts', title: 'three' },
    ])
  })

  it('is true as it stands', () => {
    expect(faultsOf(page, tests)).toEqual([])
  })

  it.each([
    ['a fact without a row', page.replace(/^\| 2\.2 \|.*\n/m, ''), '2.2 has no row'],
    ['a fact twice', page.replace(/^(\| 2\.2 \|.*\n)/m, '$1$1'), '2.2 has two rows'],
    ['a file that is not there', withRow('2.2', '`gone.test.ts` “is so”'), '2.2: there is no gone.test.ts'],
    [
      'a test that is not there',
      withRow('2.2', '`guard.test.ts` “flies”'),
      '2.2: no test in guard.test.ts is called “flies”',
    ],
    ['a fact without a test', withRow('2.2', 'seen by eye'), '2.2 names no test'],
    [
      'a wrong count',
      page.replace(/\| all \| \d+ \|/, '| all | 7 |'),
      `the head does not say “all”: ${rowsOf(page).length}`,
    ],
  ])('that has %s is refused', (_, changed, fault) => {
    expect(faultsOf(changed, tests)).toContain(fault)
  })

  it('that names a test which is left out is refused', () => {
    const skipping = new Map(tests)
    const [path = ''] = Array.from(tests.keys()).filter((path) => path.endsWith('/guard.test.ts'))
    skipping.set(path, `${tests.get(path)}\nit.skip('later', () => {})\n`)
    expect(faultsOf(page, skipping)).toContain('2.2: guard.test.ts leaves tests out')
  })
})
