import { describe, expect, it } from 'vitest'
import { repositoryFiles } from './repository-files.ts'
import { type Build, developmentMarkers, developmentRemains, measure } from './size.ts'

/** A small example of a build: the page, /login, three languages, the wallet and one more route. */
const build = (change: Partial<Build> = {}): Build => ({
  manifest: {
    'index.html': { file: 'main.js', imports: ['_react.js'], css: ['main.css'] },
    '_react.js': { file: 'react.js' },
    'src/features/sign-in/index.ts': { file: 'sign-in.js', imports: ['_react.js', '_form.js'], isDynamicEntry: true },
    '_form.js': { file: 'form.js', imports: ['_react.js'] },
    'src/features/home/index.ts': { file: 'home.js', imports: ['_react.js', '_chart.js'], isDynamicEntry: true },
    '_chart.js': { file: 'chart.js', css: ['chart.css'] },
    'src/chain/index.ts': { file: 'chain.js', imports: ['_react.js', '_viem.js'], isDynamicEntry: true },
    '_viem.js': { file: 'viem.js' },
    'src/shared/i18n/texts/en.ts': { file: 'en.js', isDynamicEntry: true },
    'src/shared/i18n/texts/zh_cn.ts': { file: 'zh_cn.js', isDynamicEntry: true },
  },
  sources: {
    'main.js': ['src/main.tsx'],
    'viem.js': ['node_modules/viem/index.js'],
    'chain.js': ['src/chain/index.ts'],
  },
  inPage: ['theme.js', 'main.js'],
  sizeOf: () => 1_000,
  ...change,
})
const bytesOf = (name: string, change: Partial<Build> = {}) =>
  measure(build(change)).rows.find((row) => row.name === name)?.bytes

describe('what is counted', () => {
  it('is, until /login is usable, each file of the page, of the sign-in and of one language once', () => {
    // main, its style, react, the script in the page, sign-in, form, one language
    expect(bytesOf('first paint, en')).toBe(7_000)
    expect(bytesOf('first paint, zh_cn')).toBe(7_000)
  })

  it('is, for the wallet and the routes, what they bring beyond that', () => {
    expect(bytesOf('wallet')).toBe(2_000)
    expect(bytesOf('src/features/home/index.ts')).toBe(3_000)
    expect(bytesOf('src/shared/i18n/texts/en.ts')).toBe(1_000)
  })
})

describe('refused is', () => {
  it('nothing of a build within its budgets', () => {
    expect(measure(build()).problems).toEqual([])
  })

  it.each([
    ['a first paint over its budget', 'react.js', 190_000, 'first paint, en is'],
    ['a wallet over its budget', 'viem.js', 85_000, 'wallet is 1.0 kB over'],
    ['a route over its budget', 'chart.js', 40_000, 'src/features/home/index.ts is'],
    ['a language over its budget', 'zh_cn.js', 25_001, 'src/shared/i18n/texts/zh_cn.ts is'],
  ])('%s', (_what, heavy, bytes, problem) => {
    const { problems } = measure(build({ sizeOf: (file) => (file === heavy ? bytes : 1_000) }))
    expect(problems).toContainEqual(expect.stringContaining(problem))
  })

  it('a module of the development wallet, anywhere', () => {
    const { problems } = measure(build({ sources: { 'home.js': ['src/dev-wallet/wallet.ts'] } }))
    expect(problems).toEqual(['home.js holds the development wallet: src/dev-wallet/wallet.ts'])
  })

  it.each(['src/chain/connection.ts', 'node_modules/.pnpm/viem@2/node_modules/viem/_esm/index.js'])(
    'wallet code in the first paint: %s',
    (source) => {
      const { problems } = measure(build({ sources: { 'form.js': ['src/form.tsx', source] } }))
      expect(problems).toEqual([expect.stringContaining(source)])
    },
  )

  it('a build in which a part cannot be found', () => {
    const { 'src/chain/index.ts': _gone, ...manifest } = build().manifest
    expect(measure(build({ manifest })).problems).toEqual([expect.stringContaining('no part for wallet')])
  })

  it('any byte of the development wallet', () => {
    const files = new Map([
      ['assets/a.js', 'const rdns="dev.lode.wallet"'],
      ['assets/b.js', 'const a="0x00"'],
    ])
    expect(developmentRemains(files)).toEqual(["assets/a.js holds 'dev.lode.wallet'"])
  })

  it.each(developmentMarkers)('which does hold %j', (marker) => {
    const sources = Array.from(repositoryFiles(/^apps\/web\/src\/dev-wallet\/(?!.*\.test\.ts$)/).values())
    expect(sources.some((source) => source.includes(marker))).toBe(true)
  })
})
