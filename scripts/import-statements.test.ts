import { describe, expect, it } from 'vitest'
import { findImports } from './import-statements.ts'

const specifiers = (source: string) => findImports(source).map(({ specifier }) => specifier)
const kinds = (source: string) => findImports(source).map(({ kind }) => kind)

describe('an import is found', () => {
  it.each([
    ["import './side-effect.ts'", 'static'],
    ["import a from 'a'", 'static'],
    ["import a, { b as c } from 'a'", 'static'],
    ["import * as a from 'a'", 'static'],
    ["import {\n  a,\n  type B,\n} from 'a'", 'static'],
    ["export { a } from 'a'", 'static'],
    ["export * from 'a'", 'static'],
    ["export * as a from 'a'", 'static'],
    ["import type from 'a'", 'static'],
    ["import type, { b } from 'a'", 'static'],
    ["import {} from 'a'", 'static'],
    ["import type A from 'a'", 'type'],
    ["import type { A } from 'a'", 'type'],
    ["import type * as a from 'a'", 'type'],
    ["import { type A, type B } from 'a'", 'type'],
    ["export type { A } from 'a'", 'type'],
    ["export type * from 'a'", 'type'],
    ["let a: typeof import('a')", 'type'],
    ["const a = await import('a')", 'dynamic'],
    ["lazy(() => import(\n  /* the wallet */ 'a',\n))", 'dynamic'],
    ['import a from "a"', 'static'],
    [`const t = \`\${await import('a')}\``, 'dynamic'],
  ])('in %j', (source, kind) => {
    expect(kinds(source)).toEqual([kind])
  })

  it('with the line of its specifier', () => {
    expect(findImports("// one\n\nimport {\n  a,\n} from 'a'\n").map(({ line }) => line)).toEqual([5])
  })

  it('after quotes, comments and JSX that could hide it', () => {
    const source = [
      'const pattern = /[\'"`/]/.test(text)',
      'const half = total / 2 / 3',
      `const text = \`a \${\`b \${c}\` + "}"} \\\` import "no"\``,
      "const words = <p>Don't worry</p>",
      '/* import "no" \n */',
      "import 'yes'",
    ].join('\n')
    expect(findImports(source)).toEqual([{ specifier: 'yes', line: 7, kind: 'static' }])
  })

  it('one after another', () => {
    expect(specifiers("import 'a'; import b from 'b'\nexport { c } from 'c'\nvoid import('d')")).toEqual([
      'a',
      'b',
      'c',
      'd',
    ])
  })
})

describe('no import is found', () => {
  it.each([
    "// import a from 'a'",
    "/* import 'a' */",
    '"import \'a\'"',
    '`import "a"`',
    "const a = { import: 'a' }",
    "loader.import('a')",
    "export const a = 'a'",
    "export default 'a'",
    "export type A = 'a' | 'b'",
    "export { a }\nconst from = 'a'",
    'import.meta.env.DEV',
    'import(nameOfTheModule)',
    "export function from() { return 'a' }",
  ])('in %j', (source) => {
    expect(findImports(source)).toEqual([])
  })
})
