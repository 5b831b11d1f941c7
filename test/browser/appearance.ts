import { defaultLanguage, type Language, languages } from '@lode/wire'
import { expect, type Page } from '@playwright/test'

export const themes = ['paper', 'shaft'] as const
export type Theme = (typeof themes)[number]

/** Enables animations, for tests of moving parts such as rising sheets and sliding pages. */
export const withAnimations = { contextOptions: { reducedMotion: 'no-preference' } } as const

const htmlLang: Record<Language, string> = { en: 'en', zh_tw: 'zh-Hant', zh_cn: 'zh-Hans' }

/** Changes theme or language of the open page in place, as another tab would. */
export async function switchAppearance(
  page: Page,
  { theme, language }: { theme?: Theme; language?: Language },
): Promise<void> {
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
  // Waits two frames, one for React and one for the layout, and then until color transitions have ended.
  await page.evaluate(async () => {
    await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))
    const transitions = document.getAnimations().filter(({ effect }) => effect?.getTiming().iterations !== Infinity)
    await Promise.allSettled(transitions.map(({ finished }) => finished))
  })
}

/** Sets the text size, as a reader does in the browser's settings. */
export async function enlargeText(page: Page, percent: number): Promise<void> {
  await page.evaluate(async (size) => {
    document.documentElement.style.fontSize = size
    await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))
  }, `${percent}%`)
}

/** Checks the same text in each language. */
export async function expectInEveryLanguage(page: Page, words: Readonly<Record<Language, string>>): Promise<void> {
  for (const language of languages) {
    await switchAppearance(page, { language })
    await expect(page.getByText(words[language]).first()).toBeVisible()
  }
  await switchAppearance(page, { language: defaultLanguage })
}
