import { describe, expect, it } from 'vitest'
import { findCommandFaults, findCommands, findMissingChecks } from './documented-commands.ts'
import { readRepositoryFiles } from './repository-files.ts'

const files = readRepositoryFiles(/\.(?:md|ts)$|package\.json$|^\.ci\/run$/)
const withPage = (page: string) => new Map(files).set('docs/new.md', page)
const faults = (page: string) => findCommandFaults('docs/new.md', withPage(page))

describe('a command on a page', () => {
  it('is found in every kind of code, with its package and its argument', () => {
    const page =
      '```sh\npnpm dev # all\n```\n\n    X=1 pnpm bench ledger  quick\n\n`pnpm --filter @lode/contracts run deploy`, pnpm nothing'
    expect(findCommands(page)).toEqual([
      { package: 'lode', name: 'dev', argument: '' },
      { package: 'lode', name: 'bench', argument: 'ledger' },
      { package: '@lode/contracts', name: 'deploy', argument: '' },
    ])
  })

  it.each(Array.from(files.keys()).filter((path) => path.endsWith('.md')))(
    'is run by CI or a test: all of %s',
    (path) => {
      expect(findCommandFaults(path, files)).toEqual([])
    },
  )

  it('that does not exist is refused', () => {
    expect(faults('`pnpm launch`')).toEqual(['docs/new.md: there is no pnpm launch'])
    expect(faults('`pnpm --filter @lode/contracts run launch`')).toEqual([
      'docs/new.md: there is no pnpm --filter @lode/contracts launch',
    ])
  })

  it('that nothing runs is refused', () => {
    expect(faults('`pnpm bench clouds`')).toEqual(['docs/new.md: nothing runs pnpm bench clouds'])
    const deep = (files.get('scripts/deep.ts') ?? '').replace("['pnpm', 'shots']", "['true']")
    expect(findCommandFaults('README.md', new Map(files).set('scripts/deep.ts', deep))).toContain(
      'README.md: nothing runs pnpm shots',
    )
  })

  it('does not count as run because a command of a similar name is', () => {
    const run = (files.get('.ci/run') ?? '').replaceAll("--project='e2e*'", "--project='e3e*'")
    expect(findCommandFaults('README.md', new Map(files).set('.ci/run', run))).toContain(
      'README.md: nothing runs pnpm e2e',
    )
  })
})

it('CI runs every check of `pnpm check`', () => {
  expect(findMissingChecks(files)).toEqual([])
  const run = (files.get('.ci/run') ?? '').replace(' translations ', ' ')
  expect(findMissingChecks(new Map(files).set('.ci/run', run))).toEqual(['.ci/run leaves out check:translations'])
})
