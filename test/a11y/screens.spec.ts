import { languages } from '@lode/wire'
import type { Page } from '@playwright/test'
import { switchAppearance, themes } from '../browser/appearance.ts'
import { screens } from '../browser/screens.ts'
import { expect, test } from '../browser/test.ts'
import { loadAxe, violations } from './axe.ts'
import { clippedTexts, focusProblem, smallTargets } from './layout.ts'

/** A small phone, a phone, and a window with navigation at the side. */
const WIDTHS = [320, 390, 1280] as const
const HEIGHT = 844

const looks = WIDTHS.flatMap((width) =>
  themes.flatMap((theme) => languages.map((language) => ({ width, theme, language, withAxe: true }))),
)

/**
 * Each language and each width once, with both themes among them, in a different combination for each screen. CI has
 * no time for all combinations. It checks the layout in all three, because texts have other lengths. Axe takes the
 * longest, and what it finds hardly depends on the language, so it runs in one.
 */
const someLooks = (place: number) =>
  languages.map((language, number) => ({
    width: WIDTHS[(place + number) % 3] ?? WIDTHS[0],
    theme: themes[(Math.floor(place / 2) + number) % 2] ?? themes[0],
    language,
    withAxe: place % languages.length === number,
  }))

// The app refreshes its data by itself, and a request may be open when the test ends.
test.afterEach(({ page }) => page.unrouteAll({ behavior: 'ignoreErrors' }))

/** Goes through the page with the Tab key, once around. */
async function focusProblems(page: Page): Promise<string[]> {
  const problems = new Set<string>()
  const seen = new Set<string>()
  for (let presses = 0; presses < 40; presses++) {
    await page.keyboard.press('Tab')
    // At both ends of a dialog there is a guard element that passes the focus on after a moment. It must not keep it.
    await page.waitForFunction(() => !document.activeElement?.hasAttribute('data-base-ui-focus-guard'))
    const focus = await page.evaluate(focusProblem)
    if (!focus || seen.has(focus.element)) break
    seen.add(focus.element)
    if (focus.problem) problems.add(`${focus.element} ${focus.problem}`)
  }
  return Array.from(problems)
}

for (const [place, [name, open]] of Object.entries(screens).entries()) {
  test(`${name} is accessible in both themes, three languages and three widths`, async ({ page, tools }) => {
    await open(tools)
    await loadAxe(page)
    const problems: string[] = []
    for (const { width, theme, language, withAxe } of process.env.A11Y === 'some' ? someLooks(place) : looks) {
      await page.setViewportSize({ width, height: HEIGHT })
      await switchAppearance(page, { theme, language })
      const found = [
        ...(withAxe ? await violations(page) : []),
        ...(await page.evaluate(clippedTexts)),
        ...(await page.evaluate(smallTargets)),
      ]
      problems.push(...found.map((problem) => `${width} px, ${theme}, ${language}: ${problem}`))
    }
    problems.push(...(await focusProblems(page)))
    expect(problems).toEqual([])
  })
}
