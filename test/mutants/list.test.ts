import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { applyEdit } from '../sim/broken-builds/broken-build.ts'
import { mutants } from './list.ts'

const root = resolve(import.meta.dirname, '../..')

describe('the list of mutants', () => {
  it('has at least 150, each once', () => {
    expect(mutants.length).toBeGreaterThanOrEqual(150)
    expect(new Set(mutants.map(({ file, find, replace }) => `${file}\n${find}\n${replace}`)).size).toBe(mutants.length)
  })

  it.each(mutants)('can be made from the current source: $file: $find', ({ file, find, replace, tests }) => {
    const source = readFileSync(join(root, file), 'utf8')
    expect(applyEdit(source, { file, find, replace })).not.toBe(source)
    expect(tests.filter((test) => !existsSync(join(root, test)))).toEqual([])
    expect(tests.length).toBeGreaterThan(0)
  })
})
