import { expect, it } from 'vitest'
import { readPlainYaml } from './plain-yaml.ts'

it('reads maps, lists and scalars as text', () => {
  const text = '# why\na:\n  b: "1"\n  c:\n    - x:y\n    - "z"\n\nd: ["p", "q"]\ne: {}\n'
  expect(readPlainYaml(text)).toEqual({ a: { b: '1', c: ['x:y', 'z'] }, d: ['p', 'q'], e: {} })
})

it.each(['a: &anchor b', 'a: *b', '<<: *b', 'a: |\n  b', "a: 'b'", 'a: b # c', 'a\n', 'a: 1\n  b: 2'])(
  'refuses what it would have to guess: %j',
  (text) => {
    expect(() => readPlainYaml(text)).toThrow()
  },
)
