import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { repositoryRoot } from './repository-files.ts'

/**
 * `pnpm floor`: fails if the production build uses a feature that the oldest supported browsers lack. The build lowers
 * newer syntax and CSS itself. It cannot lower missing functions and a few kinds of CSS. This list has the likely ones,
 * not all: `pnpm engines` runs the real old engines. See docs/browsers.md.
 */
export const oldestBrowsers = { chrome: 103, safari: 15.4, firefox: 102 } as const

type FirstVersions = { readonly [browser in keyof typeof oldestBrowsers]: number }
type Feature = {
  readonly name: string
  readonly since: FirstVersions
  readonly pattern: RegExp
  /** A use is allowed in a script that first tests for the feature: `typeof x.name` or `"name" in x`. */
  readonly guardedBy?: string
}

/**
 * Functions and regular expressions, with versions from MDN's browser compatibility data. Methods whose names are too
 * common in a minified file, such as those of iterators, are not listed: in our own code the types refuse them (`lib`
 * in apps/web/tsconfig.json).
 */
export const scriptFeatures: readonly Feature[] = [
  {
    name: 'Promise.withResolvers',
    since: { chrome: 119, safari: 17.4, firefox: 121 },
    pattern: /\bPromise\.withResolvers\b/,
  },
  { name: 'Promise.try', since: { chrome: 128, safari: 18.2, firefox: 134 }, pattern: /\bPromise\.try\b/ },
  {
    name: 'toSorted, toReversed, toSpliced',
    since: { chrome: 110, safari: 16, firefox: 115 },
    pattern: /\.(?:toSorted|toReversed|toSpliced)\(/,
  },
  {
    name: 'findLast, findLastIndex',
    since: { chrome: 97, safari: 15.4, firefox: 104 },
    pattern: /\.findLast(?:Index)?\(/,
  },
  {
    name: 'Object.groupBy, Map.groupBy',
    since: { chrome: 117, safari: 17.4, firefox: 119 },
    pattern: /\b(?:Object|Map)\.groupBy\b/,
  },
  { name: 'Array.fromAsync', since: { chrome: 121, safari: 16.4, firefox: 115 }, pattern: /\bArray\.fromAsync\b/ },
  {
    name: 'methods of Set',
    since: { chrome: 122, safari: 17, firefox: 127 },
    // `union`, `intersection` and `difference` are too common as names of other things.
    pattern: /\.(?:isSubsetOf|isSupersetOf|isDisjointFrom|symmetricDifference)\(/,
  },
  {
    name: 'isWellFormed, toWellFormed',
    since: { chrome: 111, safari: 16.4, firefox: 119 },
    pattern: /\.(?:is|to)WellFormed\(/,
  },
  { name: 'AbortSignal.any', since: { chrome: 116, safari: 17.4, firefox: 124 }, pattern: /\bAbortSignal\.any\b/ },
  {
    name: 'AbortSignal.timeout',
    since: { chrome: 103, safari: 16, firefox: 100 },
    pattern: /\bAbortSignal\.timeout\b/,
  },
  {
    name: 'URL.canParse',
    since: { chrome: 120, safari: 17, firefox: 115 },
    pattern: /\bURL\.canParse\(/,
    guardedBy: 'canParse',
  },
  {
    name: 'checkVisibility',
    since: { chrome: 105, safari: 17.4, firefox: 106 },
    pattern: /\.checkVisibility\(/,
    guardedBy: 'checkVisibility',
  },
  {
    name: 'aria properties of elements, instead of getAttribute',
    since: { chrome: 81, safari: 12.1, firefox: 119 },
    pattern: /\.aria[A-Z][A-Za-z]+\b/,
  },
  {
    name: 'lookbehind in a regular expression',
    since: { chrome: 62, safari: 16.4, firefox: 78 },
    pattern: /\(\?<[=!]/,
  },
]

/** CSS that the build cannot lower. A browser without it drops the whole declaration or the whole rule. */
export const styleFeatures: readonly Feature[] = [
  { name: ':has()', since: { chrome: 105, safari: 15.4, firefox: 121 }, pattern: /:has\(/ },
  {
    name: 'translate, rotate and scale as properties, instead of transform',
    since: { chrome: 104, safari: 14.1, firefox: 72 },
    pattern: /[{;](?:translate|rotate|scale):/,
  },
  {
    name: 'the units dvh, svh and lvh outside @supports',
    since: { chrome: 108, safari: 15.4, firefox: 101 },
    pattern: /\d[dsl]v[hw]\b/,
  },
  { name: 'color-mix()', since: { chrome: 111, safari: 16.2, firefox: 113 }, pattern: /\bcolor-mix\(/ },
  { name: 'subgrid', since: { chrome: 117, safari: 16, firefox: 71 }, pattern: /:subgrid\b/ },
  {
    // The build writes `width < 360px` as `not (min-width: 360px)`, which is just as new. Write `max-width: 359px`.
    name: 'media queries with a range, or with `not` and no type',
    since: { chrome: 104, safari: 16.4, firefox: 102 },
    pattern: /@media[^{]*\((?:width|height)\s*[<>]|@media[^{]*\bnot ?\(/,
  },
]

/** The features in a file of the build that the oldest supported browsers lack. */
export function findUnsupportedFeatures(file: string, text: string): string[] {
  const isStyle = file.endsWith('.css')
  const searched = isStyle ? removeSupportsBlocks(text) : text
  return (isStyle ? styleFeatures : scriptFeatures)
    .filter(({ pattern, guardedBy }) => pattern.test(searched) && !(guardedBy && testsForFeature(guardedBy, searched)))
    .map(({ name, since, pattern }) => {
      const { index } = pattern.exec(searched) as RegExpExecArray
      const around = searched.slice(Math.max(0, index - 30), index + 50)
      return `${file} uses ${name} (Chrome ${since.chrome}, Safari ${since.safari}, Firefox ${since.firefox}): …${around}…`
    })
}

const testsForFeature = (name: string, script: string): boolean =>
  new RegExp(`typeof [\\w$.]+\\.${name}\\b|["'\`]${name}["'\`] ?in\\b`).test(script)

/** Removes `@supports` blocks, which only browsers with the feature read. */
function removeSupportsBlocks(css: string): string {
  let kept = ''
  let rest = css
  for (;;) {
    const start = rest.indexOf('@supports')
    if (start === -1) return kept + rest
    kept += rest.slice(0, start)
    let end = rest.indexOf('{', start)
    for (let depth = 1; depth > 0 && end < rest.length; ) {
      end += 1
      if (rest[end] === '{') depth += 1
      if (rest[end] === '}') depth -= 1
    }
    rest = rest.slice(end + 1)
  }
}

if (import.meta.main) {
  const folder = join(repositoryRoot, 'apps/web/dist')
  if (!existsSync(join(folder, 'index.html'))) {
    console.error('There is no production build: run pnpm build first')
    process.exit(1)
  }
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => /\.(?:js|css)$/.test(name))
  const found = files.flatMap((name) => findUnsupportedFeatures(name, readFileSync(join(folder, name), 'utf8')))
  for (const problem of found) console.error(problem)
  if (found.length > 0) process.exit(1)
  const { chrome, safari, firefox } = oldestBrowsers
  console.log(
    `${files.length} files use no listed feature that is newer than Chrome ${chrome}, Safari ${safari}, Firefox ${firefox}`,
  )
}
