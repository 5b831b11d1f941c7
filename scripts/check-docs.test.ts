import { describe, expect, it } from 'vitest'
import {
  findHeadings,
  findIndexFaults,
  findLinkFaults,
  findLinks,
  findLongLines,
  findMissingSources,
  findSqlByHand,
} from './check-docs.ts'
import { readRepositoryFiles } from './repository-files.ts'

const files = readRepositoryFiles(/./)
const tour = 'docs/tour.md'

describe('a page', () => {
  it('is checked for links to files and headings, not for outside links, pictures or code', () => {
    const page = '[a](b.md#c) [d](https://e.f) ![g](h.png)\n```\n[i](j.md)\n```\n'
    expect(findLinks(page)).toEqual([{ text: 'a', target: 'b.md#c' }])
  })

  it('has headings in the form of link anchors', () => {
    expect(findHeadings('# One\n## When it’s “so”, and why\n```\n# not this\n```')).toEqual(
      new Set(['one', 'when-its-so-and-why']),
    )
  })

  it('of operations asks nobody to type SQL', () => {
    const path = 'docs/operations.md'
    for (const line of [
      'Run `alter role lode_api password …`.',
      '    select task from graphile_worker.jobs',
      'then `delete from lode.session`',
      '`update lode.proof set version = 3`',
      '`docker compose exec postgres psql -U lode`, then `\\password lode_api`',
    ])
      expect(findSqlByHand(path, line), line).toHaveLength(1)
    expect(findSqlByHand(path, 'From a dump: `psql -f roles.sql`')).toEqual([])
    expect(findSqlByHand(path, files.get(path) ?? '')).toEqual([])
  })

  it.each(Array.from(files.keys()).filter((path) => path.endsWith('.md')))('%s links only to what exists', (path) => {
    expect([...findLinkFaults(path, files), ...findMissingSources(path, files)]).toEqual([])
  })

  it('that names a missing source is refused', () => {
    const page = 'see `modules/orders/quote.ts`, `custody/*.integration.test.ts` and `orders/gone.ts`\n'
    expect(findMissingSources('docs/new.md', new Map(files).set('docs/new.md', page))).toEqual([
      'docs/new.md: there is no orders/gone.ts',
    ])
  })
})

describe('a line', () => {
  const long = 'word '.repeat(30)

  it('of prose that is too long is refused', () => {
    expect(findLongLines('docs/a.md', `# Title\n\n${long}\n`)).toEqual(['docs/a.md:3 is longer than 120 characters'])
  })

  it('of a table, of code or of a generated page may be longer', () => {
    expect(findLongLines('docs/a.md', `| ${long} |\n\n    ${long}\n\n\`\`\`\n${long}\n\`\`\`\n`)).toEqual([])
    expect(findLongLines('docs/api.md', long)).toEqual([])
  })
})

describe('the index', () => {
  it('lists every page once', () => {
    expect(findIndexFaults(files)).toEqual([])
  })

  it('that lacks a page, or lists one twice, is refused', () => {
    expect(findIndexFaults(new Map(files).set('docs/new.md', '# New'))).toEqual(['README.md lists docs/new.md 0 times'])
    const twice = (files.get('docs/decisions/README.md') ?? '').replace(/^(\| \[engines\].*\n)/m, '$1$1')
    expect(findIndexFaults(new Map(files).set('docs/decisions/README.md', twice))).toEqual([
      'docs/decisions/README.md lists docs/decisions/engines.md 2 times',
    ])
  })
})

describe('the tour', () => {
  const changed = (path: string, change: (text: string) => string) =>
    new Map(files).set(path, change(files.get(path) ?? ''))

  it('visits the press, wire, route, order, quote, vault, watcher, settlement, ledger, reward and screen', () => {
    const visited = findLinks(files.get(tour) ?? '').map(({ target }) => target)
    for (const place of [
      ...['features/promotion/', 'packages/wire/', 'platform/http/mount.ts', 'modules/promotion/routes.ts'],
      ...[
        'modules/orders/',
        'orders/quote.ts',
        'PoolVault.sol',
        'custody/watcher.ts',
        'promotion/settle-promotions.ts',
      ],
      ...['ledger/post.ts', 'promotion/rules.ts', 'features/rewards/'],
    ])
      expect(
        visited.some((target) => target.includes(place)),
        place,
      ).toBe(true)
  })

  it('is refused if a file that it names has moved', () => {
    const moved = new Map(files)
    moved.delete('apps/server/src/modules/orders/quote.ts')
    expect(findLinkFaults(tour, moved)).toEqual(['docs/tour.md: there is no apps/server/src/modules/orders/quote.ts'])
  })

  it('is refused if a name in it was renamed in the code', () => {
    const renamed = changed('apps/server/src/modules/orders/quote.ts', (text) =>
      text.replaceAll('createQuotes', 'quotes'),
    )
    expect(findLinkFaults(tour, renamed)).toEqual([
      'docs/tour.md: apps/server/src/modules/orders/quote.ts has no createQuotes',
    ])
  })

  it('is refused if a heading that it links to is gone', () => {
    const without = changed('docs/api.md', (text) => text.replace('## Promotion\n', '## Levels\n'))
    expect(findLinkFaults(tour, without)).toEqual(['docs/tour.md: docs/api.md has no heading #promotion'])
  })
})
