import { describe, expect, it } from 'vitest'
import {
  findExceptionFaults,
  findLongFunctions,
  measureSqlFunctions,
  measureTypescriptFunctions,
  SQL_FILES,
  TYPESCRIPT_FILES,
} from './check-function-length.ts'

/** A body that makes the function around it this many lines long. */
const body = (lines: number): string => 'go()\n'.repeat(lines - 2)
const long = (name: string, lines: number): string => `function ${name}() {\n${body(lines)}}\n`
const longSql = (name: string, lines: number): string =>
  `set local role lode_owner;\n\ncreate or replace function lode.${name}() returns void language plpgsql as $$\n${'-- a step\n'.repeat(lines - 2)}$$;\n\nrevoke execute on function lode.${name} from public;\n`

describe('a function of a TypeScript source', () => {
  it.each([
    ['a declaration', 'function pay() {\n}'],
    ['an arrow of a variable', 'const pay = () => {\n}'],
    ['a function that a call wraps', 'const pay = memo(function () {\n})'],
    ['a property', 'const api = { pay: () => {\n} }'],
    ['a method of an object', 'const api = { pay() {\n} }'],
    ['a method of a class', 'class Api { pay() {\n} }'],
    ['a field of a class', 'class Api { pay = () => {\n} }'],
    ['a default export', 'export default function pay() {\n}'],
  ])('is measured with its name and its lines: %s', (_kind, source) => {
    expect(measureTypescriptFunctions(`\n${source}`)).toEqual([{ name: 'pay', line: 2, lines: 2 }])
  })

  it('is measured inside another function, and in JSX', () => {
    const source = 'function Screen() {\n  const press = () => {\n  }\n  return <b onClick={press} />\n}'
    expect(measureTypescriptFunctions(source, 'Screen.tsx')).toEqual([
      { name: 'Screen', line: 1, lines: 5 },
      { name: 'press', line: 2, lines: 2 },
    ])
  })
})

it('an SQL function is measured from create to the end of its body', () => {
  expect(measureSqlFunctions(longSql('post', 12))).toEqual([{ name: 'post', line: 3, lines: 12 }])
})

it.each([
  ['apps/web/src/app/App.tsx', true],
  ['packages/wire/src/routes.ts', true],
  ['scripts/stack/server.ts', true],
  ['apps/web/src/app/App.test.tsx', false],
  ['apps/server/src/testing/pool.ts', false],
  ['apps/server/src/modules/ledger/testing/chart.ts', false],
  ['packages/contracts/generated/vault.ts', false],
])('whether %s is product code in TypeScript: %s', (path, isProduct) => {
  expect(TYPESCRIPT_FILES.test(path)).toBe(isProduct)
})

it('SQL functions are read from the folders of modules and of the platform', () => {
  expect(SQL_FILES.test('apps/server/src/modules/ledger/functions/post.sql')).toBe(true)
  expect(SQL_FILES.test('apps/server/src/platform/clock/functions/now.sql')).toBe(true)
  expect(SQL_FILES.test('apps/server/src/migrations/0100_ledger.sql')).toBe(false)
})

describe('the check of function lengths', () => {
  const exception = { path: 'apps/a/src/a.ts', name: 'pay', reason: 'it is a table' }

  it('accepts functions of up to 90 lines, and in SQL of up to 150', () => {
    const files = new Map([
      ['apps/a/src/a.ts', long('pay', 90)],
      ['apps/a/src/a.sql', longSql('post', 150)],
    ])
    expect(findLongFunctions(files, [])).toEqual([])
  })

  it('reports each longer function with its path and line', () => {
    const files = new Map([
      ['apps/a/src/a.ts', `${long('short', 5)}${long('pay', 91)}`],
      ['apps/a/src/a.sql', longSql('post', 151)],
    ])
    expect(findLongFunctions(files, [])).toEqual([
      'apps/a/src/a.ts:6  pay has 91 lines, and may have 90: split it by its phases',
      'apps/a/src/a.sql:3  post has 151 lines, and may have 150: split it by its phases',
    ])
  })

  it('accepts a longer function only if it is an exception', () => {
    const files = new Map([['apps/a/src/a.ts', `${long('pay', 91)}${long('owe', 91)}`]])
    expect(findLongFunctions(files, [exception])).toEqual([expect.stringContaining('a.ts:92  owe has 91 lines')])
  })

  it.each([
    ['is short now', new Map([['apps/a/src/a.ts', long('pay', 90)]])],
    ['does not exist', new Map<string, string>()],
  ])('refuses an exception whose function %s', (_why, files) => {
    expect(findLongFunctions(files, [exception])).toEqual([expect.stringContaining('pay is not too long any more')])
  })

  it('refuses a sixth exception in TypeScript, and one without a reason', () => {
    const five = Array.from({ length: 5 }, () => exception)
    expect(findExceptionFaults([...five, { ...exception, path: 'post.sql' }])).toEqual([])
    expect(findExceptionFaults([...five, exception])).toEqual([expect.stringContaining('6 exceptions')])
    expect(findExceptionFaults([{ ...exception, reason: ' ' }])).toEqual([expect.stringContaining('without a reason')])
  })
})
