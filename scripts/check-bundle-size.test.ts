import { describe, expect, it } from 'vitest'
import { type Build, developmentMarkers, findDevelopmentWallet, measureBuild } from './check-bundle-size.ts'
import { readRepositoryFiles } from './repository-files.ts'

/** A small example of a build: the page, /login, two languages, the wallet, the navigation and one more route. */
const build = (change: Partial<Build> = {}): Build => ({
  manifest: {
    'main.js': { file: 'main.js', imports: ['_react.js'], css: ['main.css'] },
    '_react.js': { file: 'react.js' },
    'src/features/sign-in/index.ts': { file: 'sign-in.js', imports: ['_react.js', '_form.js'], isDynamicEntry: true },
    '_form.js': { file: 'form.js', imports: ['_react.js'] },
    'src/app/Navigation.tsx': { file: 'navigation.js', imports: ['_react.js', '_pill.js'], isDynamicEntry: true },
    '_pill.js': { file: 'pill.js' },
    'src/features/home/index.ts': { file: 'home.js', imports: ['_pill.js', '_chart.js'], isDynamicEntry: true },
    '_chart.js': { file: 'chart.js', css: ['chart.css'] },
    'src/chain/index.ts': { file: 'chain.js', imports: ['_react.js', '_viem.js'], isDynamicEntry: true },
    '_viem.js': { file: 'viem.js' },
    'src/shared/toaster/index.ts': { file: 'toaster.js', isDynamicEntry: true },
    'src/shared/i18n/texts/en.ts': { file: 'en.js', isDynamicEntry: true },
    'src/shared/i18n/texts/zh_cn.ts': { file: 'zh_cn.js', isDynamicEntry: true },
  },
  sources: {
    'main.js': ['src/main.tsx'],
    'viem.js': ['node_modules/viem/index.js'],
    'chain.js': ['src/chain/index.ts'],
  },
  pageFiles: ['theme.js', 'main.js'],
  sizeOf: () => 1_000,
  ...change,
})
const bytesOf = (name: string, change: Partial<Build> = {}) =>
  measureBuild(build(change)).rows.find((row) => row.name === name)?.bytes

describe('the measured size', () => {
  it('of the first paint counts each file of the page, of the sign-in and of one language once', () => {
    // main, its style, react, the script in the page, sign-in, form, one language
    expect(bytesOf('first paint, en')).toBe(7_000)
    expect(bytesOf('first paint, zh_cn')).toBe(7_000)
  })

  it('of the wallet and of each route counts only files beyond the first paint', () => {
    expect(bytesOf('wallet')).toBe(2_000)
    expect(bytesOf('every page of a member')).toBe(2_000)
    // home, chart and its style; the navigation has loaded the pill
    expect(bytesOf('src/features/home/index.ts')).toBe(3_000)
    expect(bytesOf('src/shared/i18n/texts/en.ts')).toBe(1_000)
  })
})

describe('the check of the build', () => {
  it('accepts a build within its budgets', () => {
    expect(measureBuild(build()).problems).toEqual([])
  })

  it.each([
    ['a first paint over its budget', 'react.js', 164_000, 'first paint, en is'],
    ['a wallet over its budget', 'viem.js', 12_000, 'wallet is 1.0 kB over'],
    ['navigation over its budget', 'pill.js', 17_000, 'every page of a member is'],
    ['toasts over their budget', 'toaster.js', 20_001, 'toasts is 0.0 kB over'],
    ['a route over its budget', 'chart.js', 46_000, 'src/features/home/index.ts is'],
    ['a language over its budget', 'zh_cn.js', 19_001, 'src/shared/i18n/texts/zh_cn.ts is'],
  ])('refuses %s', (_what, heavy, bytes, problem) => {
    const { problems } = measureBuild(build({ sizeOf: (file) => (file === heavy ? bytes : 1_000) }))
    expect(problems).toContainEqual(expect.stringContaining(problem))
  })

  it('refuses a module of the development wallet in any file', () => {
    const { problems } = measureBuild(build({ sources: { 'home.js': ['src/dev-wallet/wallet.ts'] } }))
    expect(problems).toEqual(['home.js contains the development wallet: src/dev-wallet/wallet.ts'])
  })

  it.each(['src/chain/connection.ts', 'node_modules/.pnpm/viem@2/node_modules/viem/_esm/index.js'])(
    'refuses wallet code in the first paint: %s',
    (source) => {
      const { problems } = measureBuild(build({ sources: { 'form.js': ['src/form.tsx', source] } }))
      expect(problems).toEqual([expect.stringContaining(source)])
    },
  )

  it('refuses a build in which a part is missing', () => {
    const { 'src/chain/index.ts': _gone, ...manifest } = build().manifest
    expect(measureBuild(build({ manifest })).problems).toEqual([expect.stringContaining('no part for wallet')])
  })

  it('refuses a file with a text of the development wallet', () => {
    const files = new Map([
      ['assets/a.js', 'const rdns="dev.lode.wallet"'],
      ['assets/b.js', 'const a="0x00"'],
    ])
    expect(findDevelopmentWallet(files)).toEqual(["assets/a.js contains 'dev.lode.wallet'"])
  })

  it.each(developmentMarkers)('searches for a text that the development wallet does contain: %j', (marker) => {
    const sources = Array.from(readRepositoryFiles(/^apps\/web\/src\/dev-wallet\/(?!.*\.test\.ts$)/).values())
    expect(sources.some((source) => source.includes(marker))).toBe(true)
  })
})
