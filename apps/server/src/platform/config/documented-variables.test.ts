import { globSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { variablesReadBy } from './config.ts'

const root = resolve(import.meta.dirname, '../../../../..')
const read = (path: string): string => readFileSync(resolve(root, path), 'utf8')
const page = read('docs/operations.md')
const processes = ['api', 'worker', 'signer', 'lode'] as const

const sources = globSync(['apps/server/src/**/*.ts', 'apps/web/*.ts', 'packages/contracts/deploy/*.ts'], {
  cwd: root,
  exclude: ['**/*.test.ts', '**/testing/**', '**/node_modules/**'],
}).map(read)

const findNames = (text: string): string[] => Array.from(text.matchAll(/`([A-Z][A-Z0-9_]+)`/g), ([, name = '']) => name)

/** The rows of the table with this header: the variables of the first cell, and the second cell. */
function readTable(head: string): { names: string[]; by: string }[] {
  const [, after = ''] = page.split(`${head}\n|---|---|---|\n`)
  const [table = ''] = after.split(/\n(?!\| )/)
  return table.split('\n').map((row) => {
    const [first = '', by = ''] = row.replace(/^\| /, '').split(' | ')
    return { names: findNames(first), by }
  })
}

describe('docs/operations.md', () => {
  const rows = readTable('| variable | read by | meaning |')

  it.each(processes)('documents exactly the environment variables that %s reads', (process) => {
    const documented = rows
      .filter(({ by }) => by === 'all' || by.split(', ').includes(process))
      .flatMap(({ names }) => names)
    expect(documented.toSorted()).toEqual([...variablesReadBy[process]].sort())
  })

  it('documents the variables that are read outside the configuration', () => {
    const elsewhere = sources.flatMap((source) => [
      ...Array.from(source.matchAll(/process\.env\.([A-Z_]+)/g), ([, name = '']) => name),
      ...Array.from(source.matchAll(/const \{([^}]+)\} = process\.env/g), ([, names = '']) => names)
        .flatMap((names) => names.split(','))
        .map((name) => name.replace(/=.*/, '').trim()),
    ])
    const known = new Set<string>(processes.flatMap((process) => variablesReadBy[process]))
    const told = readTable('| variable | where | meaning |').flatMap(({ names }) => names)
    expect(told.toSorted()).toEqual(Array.from(new Set(elsewhere.filter((name) => !known.has(name)))).sort())
  })

  it('names exactly the metrics that exist', () => {
    const measured = sources.flatMap((source) => Array.from(source.matchAll(/name: '(lode_\w+)'/g), ([, name]) => name))
    const told = Array.from(page.matchAll(/`(lode_[a-z0-9]+(?:_[a-z0-9]+)+)`/g), ([, name]) => name)
    const roles = new Set(
      sources.flatMap((source) => Array.from(source.matchAll(/'(lode_[a-z]+)'/g), ([, name]) => name)),
    )
    expect(Array.from(new Set(told.filter((name) => !roles.has(name)))).sort()).toEqual(measured.toSorted())
  })

  it('names every database role that the migrations create', () => {
    const migrations = globSync('apps/server/src/migrations/*.sql', { cwd: root }).map(read)
    const made = migrations.flatMap((text) => [
      ...Array.from(text.matchAll(/create role (lode_\w+)/g), ([, name = '']) => name),
      ...Array.from(text.matchAll(/array\[((?:'lode_\w+'(?:, )?)+)\]/g), ([, names = '']) =>
        names.split(', ').map((name) => name.replaceAll("'", '')),
      ).flat(),
    ])
    const [, roles = ''] = page.split('## Database roles\n')
    for (const role of new Set(made)) expect(roles.split('\n## ')[0], role).toContain(`\`${role}\``)
    expect(made).toContain('lode_signer')
  })
})
