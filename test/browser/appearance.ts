import { defaultLanguage, type Language, languages } from '@lode/wire'
import { expect, type Page } from '@playwright/test'

export const themes = ['paper', 'shaft'] as const
export type Theme = (typeof themes)[number]

/** For tests of what moves, or of what a member does while it does: sheets that rise, pages that slide. */
export const moving = { contextOptions: { reducedMotion: 'no-preference' } } as const

const htmlLang: Record<Language, string> = { en: 'en', zh_tw: 'zh-Hant', zh_cn: 'zh-Hans' }

/** Changes theme or language of the open page in place, as another tab would. */
export async function switchTo(page: Page, { theme, language }: { theme?: Theme; language?: Language }): Promise<void> {
  await page.evaluate(
    (values) => {
      for (const [key, newValue] of Object.entries(values)) {
        if (newValue === undefined || localStorage.getItem(key) === newValue) continue
        const oldValue = localStorage.getItem(key)
        localStorage.setItem(key, newValue)
        window.dispatchEvent(new StorageEvent('storage', { key, oldValue, newValue, storageArea: localStorage }))
      }
    },
    { theme, lang: language },
  )
  if (theme) await page.locator(`html[data-theme=${theme}]`).waitFor()
  if (language) await page.locator(`html[lang=${htmlLang[language]}]`).waitFor()
  // Two frames, one for React and one for the layout; then whatever glides from one colour to the next comes to rest.
  await page.evaluate(async () => {
    await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))
    const gliding = document.getAnimations().filter(({ effect }) => effect?.getTiming().iterations !== Infinity)
    await Promise.allSettled(gliding.map(({ finished }) => finished))
  })
}

/** Text of this size, as a reader asks the browser for it. */
export async function enlargeText(page: Page, percent: number): Promise<void> {
  await page.evaluate(async (size) => {
    document.documentElement.style.fontSize = size
    await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))
  }, `${percent}%`)
}

/** The same thing is said, in the words of each language. */
export async function inEveryLanguage(page: Page, words: Readonly<Record<Language, string>>): Promise<void> {
  for (const language of languages) {
    await switchTo(page, { language })
    await expect(page.getByText(words[language]).first()).toBeVisible()
  }
  await switchTo(page, { language: defaultLanguage })
}
