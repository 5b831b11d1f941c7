import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

const sources = join(import.meta.dirname, '..')
const DECLARATION = /(?:^|[;{\s])((?:(?:row|column)-)?gap|(?:padding|margin)(?:-[a-z-]+)?):\s*([^;}]+)/g

/**
 * Distances in px that are not from the tokens. Allowed are:
 * - up to 3 px, which align by eye;
 * - negative margins, which pull a touch target back to the height of its line or a row to the edge of its card;
 * - what grows with the screen: clamp().
 */
function looseDistances(css: string): string[] {
  const plain = css.replace(/\/\*.*?\*\//gs, '')
  return Array.from(plain.matchAll(DECLARATION), ([, property = '', value = '']) => ({ property, value }))
    .filter(({ value }) =>
      Array.from(value.replace(/clamp\([^)]*\)/g, '').matchAll(/(?<![\w.-])([\d.]+)px/g)).some(
        ([, px]) => Number(px) > 3,
      ),
    )
    .map(({ property, value }) => `${property}: ${value.trim()}`)
}

describe('spacing', () => {
  it('uses the tokens in every style sheet', () => {
    const files = globSync('**/*.css', { cwd: sources })
    expect(files.length).toBeGreaterThan(50)
    const loose = files.flatMap((file) =>
      looseDistances(readFileSync(join(sources, file), 'utf8')).map((found) => `${file}: ${found}`),
    )
    expect(loose).toEqual([])
  })

  it('is checked for gaps, paddings and margins, with the listed exceptions', () => {
    expect(looseDistances('.a { gap: 6px; padding-block: 2px 10px; margin: 0 auto 4px; row-gap: 5.5px }')).toEqual([
      'gap: 6px',
      'padding-block: 2px 10px',
      'margin: 0 auto 4px',
      'row-gap: 5.5px',
    ])
    expect(
      looseDistances('.a { gap: var(--space-8); padding: 3px 0; margin: -12px; margin-block: clamp(0px, 3vh, 32px) }'),
    ).toEqual([])
    expect(looseDistances('.a { padding: calc(env(safe-area-inset-top) + 20px) /* 20px */ }')).toHaveLength(1)
  })
})
