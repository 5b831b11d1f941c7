import { describe, expect, it } from 'vitest'
import { faultsOf, headingsOf, indexFaults, lengthFaults, linksOf, namedFaults } from './check-docs.ts'
import { repositoryFiles } from './repository-files.ts'

const files = repositoryFiles(/./)
const tour = 'docs/tour.md'

describe('a page', () => {
  it('links to files and headings; what is elsewhere, a picture or code is not looked at', () => {
    const page = '[a](b.md#c) [d](https://e.f) ![g](h.png)\n```\n[i](j.md)\n```\n'
    expect(linksOf(page)).toEqual([{ text: 'a', target: 'b.md#c' }])
  })

  it('has its headings as they are linked to', () => {
    expect(headingsOf('# One\n## When it’s “so”, and why\n```\n# not this\n```')).toEqual(
      new Set(['one', 'when-its-so-and-why']),
    )
  })

  it.each(Array.from(files.keys()).filter((path) => path.endsWith('.md')))('%s leads where it says', (path) => {
    expect([...faultsOf(path, files), ...namedFaults(path, files)]).toEqual([])
  })

  it('that names a source which is not there is refused', () => {
    const page = 'see `modules/orders/quote.ts`, `custody/*.integration.test.ts` and `orders/gone.ts`\n'
    expect(namedFaults('docs/new.md', new Map(files).set('docs/new.md', page))).toEqual([
      'docs/new.md: there is no orders/gone.ts',
    ])
  })
})

describe('a line', () => {
  const long = 'word '.repeat(30)

  it('of prose that is too long is refused', () => {
    expect(lengthFaults('docs/a.md', `# Title\n\n${long}\n`)).toEqual(['docs/a.md:3 is longer than 120 characters'])
  })

  it('of a table, of code and of what others write may be longer', () => {
    expect(lengthFaults('docs/a.md', `| ${long} |\n\n    ${long}\n\n\`\`\`\n${long}\n\`\`\`\n`)).toEqual([])
    expect(lengthFaults('docs/api.md', long)).toEqual([])
  })
})

describe('the index', () => {
  it('has every page once', () => {
    expect(indexFaults(files)).toEqual([])
  })

  it('that forgets a page, or has one twice, is refused', () => {
    expect(indexFaults(new Map(files).set('docs/new.md', '# New'))).toEqual(['README.md lists docs/new.md 0 times'])
    const twice = (files.get('docs/decisions/README.md') ?? '').replace(/^(\| \[engines\].*\n)/m, '$1$1')
    expect(indexFaults(new Map(files).set('docs/decisions/README.md', twice))).toEqual([
      'docs/decisions/README.md lists docs/decisions/engines.md 2 times',
    ])
  })
})

describe('the tour', () => {
  const changed = (path: string, change: (text: string) => string) =>
    new Map(files).set(path, change(files.get(path) ?? ''))

  it('stops at the press, wire, route, order, quote, vault, watcher, settlement, ledger, reward and screen', () => {
    const visited = linksOf(files.get(tour) ?? '').map(({ target }) => target)
    for (const place of [
      ...['features/promotion/', 'packages/wire/', 'platform/http/mount.ts', 'modules/promotion/routes.ts'],
      ...['modules/orders/', 'orders/quote.ts', 'PoolVault.sol', 'custody/watcher.ts', 'promotion/settling.ts'],
      ...['ledger/post.ts', 'promotion/rules.ts', 'features/rewards/'],
    ])
      expect(
        visited.some((target) => target.includes(place)),
        place,
      ).toBe(true)
  })

  it('is refused once a file that it names has moved', () => {
    const moved = new Map(files)
    moved.delete('apps/server/src/modules/orders/quote.ts')
    expect(faultsOf(tour, moved)).toEqual(['docs/tour.md: there is no apps/server/src/modules/orders/quote.ts'])
  })

  it('is refused once what it names is called otherwise', () => {
    const renamed = changed('apps/server/src/modules/orders/quote.ts', (text) =>
      text.replaceAll('createQuotes', 'quotes'),
    )
    expect(faultsOf(tour, renamed)).toEqual([
      'docs/tour.md: apps/server/src/modules/orders/quote.ts has no createQuotes',
    ])
  })

  it('is refused once a heading that it leads to is gone', () => {
    const without = changed('docs/api.md', (text) => text.replace('## Promotion\n', '## Levels\n'))
    expect(faultsOf(tour, without)).toEqual(['docs/tour.md: docs/api.md has no heading #promotion'])
  })
})
