import { resolve } from 'node:path'
import { languages } from '@lode/wire'
import { enlargeText, switchAppearance, themes } from '../browser/appearance.ts'
import { screens } from '../browser/screens.ts'
import { test } from '../browser/test.ts'

const folder = resolve(import.meta.dirname, '../../artifacts/shots')

const PHONE = { width: 390, height: 844, percent: 100 }
const looks = [
  ...themes.flatMap((theme) =>
    languages.map((language) => ({ name: `${theme}-${language}`, theme, language, ...PHONE })),
  ),
  { name: 'small', theme: 'paper', language: 'en', ...PHONE, width: 320, height: 640 },
  { name: 'wide-phone', theme: 'shaft', language: 'zh_tw', ...PHONE, width: 430, height: 932 },
  { name: 'large-text', theme: 'shaft', language: 'en', ...PHONE, width: 320, percent: 200 },
  { name: 'desktop', theme: 'paper', language: 'zh_cn', ...PHONE, width: 1280, height: 800 },
] as const

test.use({ deviceScaleFactor: 2 })
// The app refreshes its data by itself, and a request may be open when the test ends.
test.afterEach(({ page }) => page.unrouteAll({ behavior: 'ignoreErrors' }))

for (const [name, open] of Object.entries(screens)) {
  test(`screenshots of ${name} in both themes and three languages, on two phones, with large text and on a desktop`, async ({
    page,
    tools,
  }) => {
    await open(tools)
    for (const { name: look, width, height, theme, language, percent } of looks) {
      await page.setViewportSize({ width, height })
      await switchAppearance(page, { theme, language })
      await enlargeText(page, percent)
      await page.screenshot({ path: resolve(folder, `${name}-${look}.png`), animations: 'disabled' })
    }
  })
}
