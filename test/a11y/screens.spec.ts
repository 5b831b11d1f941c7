import { languages } from '@lode/wire'
import type { Page } from '@playwright/test'
import { switchTo, themes } from '../browser/appearance.ts'
import { screens } from '../browser/screens.ts'
import { expect, test } from '../browser/test.ts'
import { loadAxe, violations } from './axe.ts'
import { clippedTexts, focusProblem, smallTargets } from './layout.ts'

const WIDTHS = [320, 390]
const HEIGHT = 844

test.use({ contextOptions: { reducedMotion: 'reduce' } })

/** Goes through the page by keyboard, once around. */
async function focusProblems(page: Page): Promise<string[]> {
  const problems = new Set<string>()
  const seen = new Set<string>()
  for (let presses = 0; presses < 40; presses++) {
    await page.keyboard.press('Tab')
    // At either end of a dialog stands a guard that hands the focus on in its own time; it must not keep it.
    await page.waitForFunction(() => !document.activeElement?.hasAttribute('data-base-ui-focus-guard'))
    const focus = await page.evaluate(focusProblem)
    if (!focus || seen.has(focus.element)) break
    seen.add(focus.element)
    if (focus.problem) problems.add(`${focus.element} ${focus.problem}`)
  }
  return Array.from(problems)
}

for (const [name, open] of Object.entries(screens)) {
  test(`${name} can be used by everybody, in both themes, three languages and two widths`, async ({
    page,
    context,
    stack,
    giveWallet,
    giveWallets,
    register,
    enter,
    enterWith,
    disable,
  }) => {
    await open({ page, context, stack, giveWallet, giveWallets, register, enter, enterWith, disable })
    await loadAxe(page)
    const problems: string[] = []
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: HEIGHT })
      for (const theme of themes) {
        for (const language of languages) {
          await switchTo(page, { theme, language })
          const found = [
            ...(await violations(page)),
            ...(await page.evaluate(clippedTexts)),
            ...(await page.evaluate(smallTargets)),
          ]
          problems.push(...found.map((problem) => `${width} px, ${theme}, ${language}: ${problem}`))
        }
      }
    }
    problems.push(...(await focusProblems(page)))
    expect(problems).toEqual([])
  })
}
