import { describe, expect, it } from 'vitest'
import { findUnsupportedFeatures, oldestBrowsers, scriptFeatures, styleFeatures } from './check-browser-support.ts'

describe('the check of browser support', () => {
  it.each([
    ['a.js', 'dd=Promise.withResolvers();', 'Promise.withResolvers'],
    ['a.js', 'f=e=>e.toSorted((e,t)=>e<t?1:-1)', 'toSorted'],
    ['a.js', 't.traces.findLast(e=>e.waiting!==null)', 'findLast'],
    ['a.js', 'signal:AbortSignal.timeout(p)', 'AbortSignal.timeout'],
    ['a.js', 'e.find(e=>e.ariaCurrent===`step`)', 'aria properties'],
    ['a.js', 'e.replace(/(?<=\\p{Script=Han}) /gu,``)', 'lookbehind'],
    ['a.js', 'return URL.canParse(e)', 'URL.canParse'],
    ['a.css', '.frame{height:100dvh}', 'dvh'],
    ['a.css', '.a{color:red}.option:has(:checked){color:red}', ':has()'],
    ['a.css', '.popup{top:46%;translate:-50% -50%}', 'translate'],
    ['a.css', '.bar{background:color-mix(in srgb,red,blue)}', 'color-mix()'],
    ['a.css', '@media (width<360px){.a{color:red}}', 'media queries'],
    ['a.css', '@media not (min-width:360px){.a{color:red}}', 'media queries'],
  ])('refuses in %s: %s', (file, text, name) => {
    expect(findUnsupportedFeatures(file, text)).toEqual([expect.stringContaining(name)])
  })

  it.each([
    ['a.js', 'typeof URL.canParse==`function`?URL.canParse(e):f(e)'],
    ['a.js', '`checkVisibility`in e&&e.checkVisibility()'],
    ['a.js', 'e.at(-1),Object.hasOwn(a,b),structuredClone(c),crypto.randomUUID()'],
    ['a.js', '{"aria-current":t}'],
    ['a.css', '.frame{height:100%}@supports (height:100dvh){.frame{height:100dvh}}.b{color:red}'],
    ['a.css', '.popup{transform:translate(-50%,-50%)}'],
    ['a.css', '@container (width<15rem){.a{color:red}}'],
    ['a.css', '@media (max-width:359px){.a{color:red}}@media (prefers-reduced-motion:reduce){.a{color:red}}'],
  ])('accepts in %s: %s', (file, text) => {
    expect(findUnsupportedFeatures(file, text)).toEqual([])
  })

  it('lists only features that at least one of the oldest browsers lacks', () => {
    const browsers = Object.keys(oldestBrowsers) as (keyof typeof oldestBrowsers)[]
    const useless = [...scriptFeatures, ...styleFeatures].filter(({ since }) =>
      browsers.every((name) => since[name] <= oldestBrowsers[name]),
    )
    expect(useless.map(({ name }) => name)).toEqual([])
  })
})
