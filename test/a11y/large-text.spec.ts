import { languages } from '@lode/wire'
import { enlargeText, switchAppearance } from '../browser/appearance.ts'
import { screens } from '../browser/screens.ts'
import { expect, test } from '../browser/test.ts'
import { clippedTexts, overlappingTexts } from './layout.ts'

/** The first screen of each page, and the sheets that move money. */
const read = [
  ...['login', 'login-plan', 'login-four-wallets', 'regist', 'regist-confirm', 'first-run', 'home', 'home-new-pool'],
  ...['wallet', 'wallet-empty', 'wallet-detail', 'deposit-form', 'statement', 'promotion', 'promote-mixed'],
  ...['order-paying', 'pledge', 'pledge-preview', 'pledge-records', 'pledge-days', 'teams', 'net-list', 'setting'],
  ...['transfer-form', 'transfer-confirm', 'transfer-held', 'transfer-records', 'rewards', 'records-orders'],
  ...['dao-plan', 'dao-history', 'dao-partner-missing', 'notice', 'help', 'help-article', 'share', '404'],
]

test.use({ viewport: { width: 320, height: 844 } })
// The app refreshes its data by itself, and a request may be open when the test ends.
test.afterEach(({ page }) => page.unrouteAll({ behavior: 'ignoreErrors' }))

for (const name of read) {
  test(`${name} is readable with text twice as large on the smallest phone: no text is cut off or overlaps`, async ({
    page,
    tools,
  }) => {
    const open = screens[name]
    if (!open) throw new Error(`There is no screen ${name}`)
    await open(tools)
    await enlargeText(page, 200)
    const problems: string[] = []
    for (const language of languages) {
      await switchAppearance(page, { language })
      const found = [...(await page.evaluate(clippedTexts)), ...(await page.evaluate(overlappingTexts))]
      problems.push(...found.map((problem) => `${language}: ${problem}`))
    }
    expect(problems).toEqual([])
  })
}
