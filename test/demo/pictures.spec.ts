import { resolve } from 'node:path'
import { languages } from '@lode/wire'
import { expect, test } from '@playwright/test'
import { switchAppearance, themes } from '../browser/appearance.ts'
import { picturesFolder, signInAs, waitUntilLoaded } from './browser.ts'
import { cast, type RoleName } from './cast.ts'
import { webOrigin } from './dev-stack.ts'

/** The screens of each account, and a text that its English picture must show and that only this account has there. */
const screens: Readonly<Record<RoleName, Readonly<Record<string, RegExp>>>> = {
  first: {
    '/home': /Total asset value/,
    '/teams': /363/,
    '/teams/maps': /Center/,
    '/setting/dao?show=payments': /Computing power: \d+ TH\/s for 36 months, invoice \d+/,
  },
  // Until a member has accepted the risks, every path shows the risk explanation.
  new: { '/home': /Before you begin/ },
  activated: {
    '/home': /L1/,
    '/promotion': /3 of up to 3/,
    '/promotion/reward': /Missed/,
    '/setting/subscribe': /Promotion/,
    '/share': /Invitation code/,
    '/setting/notice': /Days without production/,
    '/setting/help': /Search/,
  },
  expert: { '/promotion': /Thanksgiving/, '/promotion/reward': /Thanksgiving reward/, '/wallet': /BTN/ },
  ready: { '/teams': /363/, '/setting/dao': /partner/, '/promotion': /You hold the highest level/ },
  applicant: { '/setting/dao': /partner/ },
  pledger: {
    '/home': /Total asset value/,
    '/pledge': /BTC/,
    '/pledge/detail': /Running/,
    '/wallet': /Pledged|Frozen/,
    '/wallet/detail?symbol=BTC': /Pledge dividend/,
    '/wallet/statement': /Pledge dividend/,
  },
  disabled: { '/wallet': /only for taking your assets out/, '/setting/transfer': /In review/ },
  sender: {
    '/setting/transfer': /In review/,
    '/wallet': /USDT/,
    '/wallet/detail?symbol=USDT': /Transfer out/,
    '/setting': /L5/,
  },
}

test.use({ contextOptions: { reducedMotion: 'reduce' } })

for (const { name } of cast) {
  test(`screenshots of the screens of the ${name} account in both themes and three languages`, async ({ page }) => {
    await signInAs(page, name)
    for (const [path, content] of Object.entries(screens[name])) {
      await page.goto(`${webOrigin()}${path}`)
      await waitUntilLoaded(page)
      await expect(page, 'the screen was not left for another').toHaveURL(`${webOrigin()}${path}`)
      const shown = page.locator('body')
      await expect(shown).toContainText(content)
      await expect(shown).not.toContainText(/could not be loaded|Price unavailable|Prices are/)
      for (const theme of themes)
        for (const language of languages) {
          await switchAppearance(page, { theme, language })
          await waitUntilLoaded(page)
          const file = `${name}${path.replace(/\W+/g, '-')}-${theme}-${language}.png`
          await page.screenshot({ path: resolve(picturesFolder, file), animations: 'disabled' })
        }
      await switchAppearance(page, { theme: 'paper', language: 'en' })
    }
  })
}
