import type { Page } from '@playwright/test'
import { findHandovers, type Handover, handovers } from '../browser/handovers.ts'
import { type ScreenFixtures, screens } from '../browser/screens.ts'
import { expect, test } from '../browser/test.ts'
import { limitToWebView } from '../browser/wallet-webview.ts'

// A screen may still be reading when its test ends.
test.afterEach(({ page }) => page.unrouteAll({ behavior: 'ignoreErrors' }))

/**
 * In the browser inside a wallet nothing can be copied, downloaded, shared or printed. Each place of the app that offers
 * one of these still gives the member something to use, and no text says that it worked. HANDOVERS=all tests every
 * place; without it, one of each kind.
 */
const everyKind = ['share', 'statement', 'wallet-detail', 'deposit-form', 'regist-setup-code']
const SOON = { timeout: 15_000 }

test('every copy, save, share and print of the app is in the list', async () => {
  expect(handovers.map(({ of }) => of).sort()).toEqual(await findHandovers())
})

for (const [screen, places] of Map.groupBy(handovers, (place) => place.screen)) {
  if (screen === null || (process.env.HANDOVERS !== 'all' && !everyKind.includes(screen))) continue
  test(`on ${screen}, what cannot be copied, saved or printed is shown instead`, async ({ context, tools, toasts }) => {
    await limitToWebView(context)
    await openScreen(screen, tools)
    // Several places of a screen can have buttons of the same name, for example two addresses.
    for (const [name, same] of Map.groupBy(places, ({ press = '' }) => press)) {
      const buttons = tools.page.getByRole('button', { name, exact: true })
      // Some are drawn only when the pool's chain has been read.
      await expect(buttons.first()).toBeVisible(SOON)
      expect(await buttons.count(), `buttons “${name}”`).toBeGreaterThanOrEqual(same.length)
      for (let nth = 0; nth < same.length; nth += 1) await useButton(tools.page, nth, same[nth] as Handover)
    }
    expect(await tools.page.getByRole('button', { name: 'Share', exact: true }).count()).toBe(0)
    for (const toast of toasts) expect(toast).not.toMatch(/success|saved|copied|shared|printed|download/i)
  })
}

async function openScreen(name: string, tools: ScreenFixtures): Promise<void> {
  // The screen of this name has a share sheet.
  const open = name === 'share' ? openShare : screens[name]
  if (!open) throw new Error(`There is no screen ${name}`)
  await open(tools)
}

async function openShare({ page, register, enter }: ScreenFixtures): Promise<void> {
  await enter(await register())
  await page.goto('/share')
  await page.getByRole('img', { name: 'QR code of your invitation link' }).waitFor()
}

/** Presses the button and reads what the member is given: a text to copy by hand, or a file on the page. */
async function useButton(page: Page, nth: number, { of, press = '', ends = /./ }: Handover): Promise<void> {
  await page.getByRole('button', { name: press, exact: true }).nth(nth).click()
  const isFile = / (?:save|print)$/.test(of)
  if (isFile) {
    const show = page.getByRole('button', { name: 'Show it here' })
    await expect(show, of).toBeVisible(SOON)
    for (const said of await page.getByRole('status').allTextContents())
      expect(said, of).not.toMatch(/is downloading|downloaded|saved|printed/i)
    await show.click()
  }
  const sheet = isFile ? page.getByRole('dialog').last() : page.getByRole('dialog', { name: 'Copy by hand' })
  const text = sheet.getByRole('textbox')
  const picture = sheet.getByRole('img')
  await expect(text.or(picture).first(), of).toBeVisible(SOON)
  const given = (await text.count()) > 0 ? await text.inputValue() : await picture.getAttribute('src')
  expect(given, of).toMatch(ends)
  await sheet.getByRole('button', { name: 'Close' }).last().click()
  await expect(sheet).toBeHidden()
}
