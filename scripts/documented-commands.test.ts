import { describe, expect, it } from 'vitest'
import { commandFaults, commandsOf, forgottenChecks } from './documented-commands.ts'
import { repositoryFiles } from './repository-files.ts'

const files = repositoryFiles(/\.(?:md|ts)$|package\.json$|^\.ci\/run$/)
const withPage = (page: string) => new Map(files).set('docs/new.md', page)
const faults = (page: string) => commandFaults('docs/new.md', withPage(page))

describe('a command on a page', () => {
  it('is found in every kind of code, with its package and what it is told to do', () => {
    const page =
      '```sh\npnpm dev # all\n```\n\n    X=1 pnpm bench ledger  quick\n\n`pnpm --filter @lode/contracts run deploy`, pnpm nothing'
    expect(commandsOf(page)).toEqual([
      { package: 'lode', name: 'dev', argument: '' },
      { package: 'lode', name: 'bench', argument: 'ledger' },
      { package: '@lode/contracts', name: 'deploy', argument: '' },
    ])
  })

  it.each(Array.from(files.keys()).filter((path) => path.endsWith('.md')))('is run by somebody: all of %s', (path) => {
    expect(commandFaults(path, files)).toEqual([])
  })

  it('that is not there is refused', () => {
    expect(faults('`pnpm launch`')).toEqual(['docs/new.md: there is no pnpm launch'])
    expect(faults('`pnpm --filter @lode/contracts run launch`')).toEqual([
      'docs/new.md: there is no pnpm --filter @lode/contracts launch',
    ])
  })

  it('that nobody runs is refused', () => {
    expect(faults('`pnpm bench clouds`')).toEqual(['docs/new.md: nobody runs pnpm bench clouds'])
    const deep = (files.get('scripts/deep.ts') ?? '').replace("['pnpm', 'shots']", "['true']")
    expect(commandFaults('README.md', new Map(files).set('scripts/deep.ts', deep))).toContain(
      'README.md: nobody runs pnpm shots',
    )
  })

  it('is not taken for run because something of a similar name is', () => {
    const run = (files.get('.ci/run') ?? '').replaceAll('--project=e2e', '--project=e3e')
    expect(commandFaults('README.md', new Map(files).set('.ci/run', run))).toContain('README.md: nobody runs pnpm e2e')
  })
})

it('CI leaves out no check of `pnpm check`', () => {
  expect(forgottenChecks(files)).toEqual([])
  const run = (files.get('.ci/run') ?? '').replace(' translations ', ' ')
  expect(forgottenChecks(new Map(files).set('.ci/run', run))).toEqual(['.ci/run leaves out check:translations'])
})
