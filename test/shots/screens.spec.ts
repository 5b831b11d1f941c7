import { resolve } from 'node:path'
import { languages } from '@lode/wire'
import { switchTo, themes } from '../browser/appearance.ts'
import { screens } from '../browser/screens.ts'
import { test } from '../browser/test.ts'

const folder = resolve(import.meta.dirname, '../../artifacts/shots')

test.use({ contextOptions: { reducedMotion: 'reduce' }, deviceScaleFactor: 2 })
// The app asks again by itself, and may be asking when a screen has been looked at.
test.afterEach(({ page }) => page.unrouteAll({ behavior: 'ignoreErrors' }))

for (const [name, open] of Object.entries(screens)) {
  test(`${name} is pictured in both themes and three languages`, async ({
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
    for (const theme of themes) {
      for (const language of languages) {
        await switchTo(page, { theme, language })
        await page.screenshot({ path: resolve(folder, `${name}-${theme}-${language}.png`), animations: 'disabled' })
      }
    }
  })
}
