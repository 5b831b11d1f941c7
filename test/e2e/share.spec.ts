import { readFile } from 'node:fs/promises'
import type { Locator, Page } from '@playwright/test'
import { decodeQR } from 'qr/decode.js'
import type { Member } from '../browser/member.ts'
import { countDownloads, mockShareSheet, readSharedFiles } from '../browser/share-files.ts'
import type { BrowserStack } from '../browser/stack.ts'
import { expect, test } from '../browser/test.ts'
import { visibleMain } from '../browser/views.ts'

test.afterEach(({ page }) => page.unrouteAll({ behavior: 'ignoreErrors' }))

const qr = (page: Page): Locator => page.getByRole('img', { name: 'QR code of your invitation link' })
const save = (page: Page): Locator => page.getByRole('button', { name: 'Save as picture' })
/** The link carries the inviter's language, unless it is English. */
const linkOf = ({ origin }: BrowserStack, { inviteCode, lang }: Member): string =>
  `${origin}/regist?invite=${inviteCode}${lang === 'en' ? '' : `&lang=${lang}`}`

/** Decodes the QR code in a picture, as a phone does. */
async function readQr(page: Page, png: Buffer): Promise<string> {
  const { width, height, data } = await page.evaluate(async (base64) => {
    const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))
    const bitmap = await createImageBitmap(new Blob([bytes], { type: 'image/png' }))
    // Not larger than a phone would see it.
    const scale = Math.min(1, 540 / bitmap.width)
    const [width, height] = [Math.round(bitmap.width * scale), Math.round(bitmap.height * scale)]
    const pen = new OffscreenCanvas(width, height).getContext('2d')
    if (!pen) throw new Error('no canvas')
    pen.drawImage(bitmap, 0, 0, width, height)
    const { data } = pen.getImageData(0, 0, width, height)
    let text = ''
    for (let from = 0; from < data.length; from += 32_768)
      text += String.fromCharCode(...data.subarray(from, from + 32_768))
    return { width, height, data: btoa(text) }
  }, png.toString('base64'))
  return decodeQR({ width, height, data: new Uint8Array(Buffer.from(data, 'base64')) })
}

test.describe('an invitation', () => {
  test('can be opened from /home and the settings, and has link, code, QR code and address tail', async ({
    page,
    stack,
    register,
    enter,
  }) => {
    const member = await register()
    await enter(member)
    await page.goto('/setting')
    await page.getByRole('navigation', { name: 'Settings pages' }).getByRole('link', { name: 'Invite friends' }).click()
    await expect(page).toHaveURL('/share')
    await page.goto('/home')
    await page.getByRole('navigation', { name: 'Shortcuts' }).getByRole('link', { name: 'Invite' }).click()
    await expect(page).toHaveURL('/share')
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Invite friends')
    const { inviteCode, account } = member
    await expect(visibleMain(page)).toContainText(`${inviteCode.slice(0, 4)}-${inviteCode.slice(4)}`)
    await expect(visibleMain(page)).toContainText(linkOf(stack, member))
    await expect(visibleMain(page)).toContainText(`…${account.address.slice(-6)}`)
    await expect(visibleMain(page)).toContainText('Nobody can promise a return.')
    expect(await readQr(page, await qr(page).screenshot())).toBe(linkOf(stack, member))
  })

  test('can be read in the dark theme', async ({ page, stack, register, enter }) => {
    await page.emulateMedia({ colorScheme: 'dark' })
    const member = await register()
    await enter(member)
    await page.goto('/share')
    await expect(page.locator('html')).toHaveAttribute('data-theme', 'shaft')
    expect(await readQr(page, await qr(page).screenshot())).toBe(linkOf(stack, member))
  })

  test('can be copied as code and as link', async ({ page, context, stack, register, enter, toasts }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    const member = await register()
    await enter(member)
    await page.goto('/share')
    const clipboard = () => page.evaluate(() => navigator.clipboard.readText())
    await page.getByRole('button', { name: 'Copy invitation code' }).click()
    await expect.poll(clipboard).toBe(`${member.inviteCode.slice(0, 4)}-${member.inviteCode.slice(4)}`)
    await page.getByRole('button', { name: 'Copy invitation link' }).click()
    await expect.poll(clipboard).toBe(linkOf(stack, member))
    await expect.poll(() => toasts).toContain('Copy successful')
  })

  for (const lang of ['en', 'zh_tw'] as const)
    test(`is saved as a picture in ${lang}, whose QR code leads to the registration`, async ({
      page,
      stack,
      register,
      enter,
      toasts,
    }) => {
      const member = await register({ lang })
      await enter(member)
      await page.goto('/share')
      const downloaded = page.waitForEvent('download')
      await page.getByRole('button', { name: lang === 'en' ? 'Save as picture' : '儲存為圖片' }).click()
      const download = await downloaded
      await expect(visibleMain(page)).toContainText(
        lang === 'en' ? 'Your browser was asked to download it.' : '已交由瀏覽器下載。',
      )
      expect(toasts, 'that it was saved is not known').toEqual([])
      expect(download.suggestedFilename()).toBe(`lode-${member.account.address.slice(-6)}.png`)
      expect(await readQr(page, await readFile(await download.path()))).toBe(linkOf(stack, member))
    })

  test('is shown as a picture to press and hold if the download fails', async ({ page, stack, register, enter }) => {
    const member = await register()
    await enter(member)
    await page.goto('/share')
    await save(page).click()
    await page.getByRole('button', { name: 'Show it here' }).click()
    const sheet = page.getByRole('dialog', { name: /^lode-.*\.png$/ })
    await expect(sheet).toContainText('Press and hold the picture')
    const picture = sheet.getByRole('img')
    await expect.poll(() => picture.evaluate((img: HTMLImageElement) => img.naturalWidth)).toBe(1_080)
    const src = (await picture.getAttribute('src')) ?? ''
    expect(src).toMatch(/^data:image\/png;base64,/)
    expect(await readQr(page, Buffer.from(src.replace(/^.*,/, ''), 'base64'))).toBe(linkOf(stack, member))
    await page.keyboard.press('Escape')
    await expect(page.getByRole('button', { name: 'Show it here' })).toBeFocused()
  })

  test('as a picture opens the share sheet of a phone and is not downloaded', async ({
    page,
    register,
    enter,
    toasts,
  }) => {
    await mockShareSheet(page, 'shared')
    const member = await register()
    await enter(member)
    await page.goto('/share')
    const downloads = countDownloads(page)
    await save(page).click()
    await expect(page.getByText('Sent to the app you chose.')).toBeVisible()
    expect(await readSharedFiles(page)).toEqual([
      { name: `lode-${member.account.address.slice(-6)}.png`, type: 'image/png', size: expect.any(Number) },
    ])
    expect(downloads()).toBe(0)
    expect(toasts).toEqual([])
  })

  test('as a picture is neither saved nor an error if the member closes the share sheet', async ({
    page,
    register,
    enter,
    toasts,
  }) => {
    await mockShareSheet(page, 'put away')
    await enter(await register())
    await page.goto('/share')
    const downloads = countDownloads(page)
    await save(page).click()
    await expect.poll(() => readSharedFiles(page)).toHaveLength(1)
    await expect(save(page)).toBeEnabled()
    expect(toasts).toEqual([])
    expect(downloads()).toBe(0)
    await expect(page.getByText(/downloading|Sent to the app/i)).toHaveCount(0)
  })

  test('as a picture is downloaded if the share sheet does not open', async ({ page, register, enter }) => {
    await mockShareSheet(page, 'not allowed')
    await enter(await register())
    await page.goto('/share')
    await Promise.all([page.waitForEvent('download'), save(page).click()])
    await expect(page.getByText('Your browser was asked to download it.')).toBeVisible()
  })

  test.describe('on a desktop', () => {
    test.use({ hasTouch: false })

    test('as a picture is downloaded even if there is a share sheet', async ({ page, register, enter }) => {
      await mockShareSheet(page, 'shared')
      await enter(await register())
      await page.goto('/share')
      await Promise.all([page.waitForEvent('download'), save(page).click()])
      expect(await readSharedFiles(page)).toEqual([])
    })
  })

  test('is shared with the system’s share sheet if there is one', async ({ page, stack, register, enter, toasts }) => {
    await page.addInitScript(() =>
      Object.defineProperty(navigator, 'share', {
        value: async (shared: unknown) => {
          window.shared = shared
        },
      }),
    )
    const member = await register()
    await enter(member)
    await page.goto('/share')
    await page.getByRole('button', { name: 'Share', exact: true }).click()
    await expect
      .poll(() => page.evaluate(() => window.shared))
      .toEqual({
        title: 'Lode',
        text: `My invitation code: ${member.inviteCode.slice(0, 4)}-${member.inviteCode.slice(4)}`,
        url: linkOf(stack, member),
      })
    expect(toasts).toEqual([])
  })

  test('hides the share button without a share sheet, and reports a failed share', async ({
    page,
    register,
    enter,
    toasts,
  }) => {
    await page.addInitScript(() => Object.defineProperty(navigator, 'share', { value: undefined, configurable: true }))
    await enter(await register())
    await page.goto('/share')
    await expect(page.getByRole('button', { name: 'Copy invitation link' })).toBeEnabled()
    await expect(page.getByRole('button', { name: 'Share', exact: true })).toHaveCount(0)
    await page.addInitScript(() =>
      Object.defineProperty(navigator, 'share', { value: () => Promise.reject(new Error('no')) }),
    )
    await page.reload()
    await page.getByRole('button', { name: 'Share', exact: true }).click()
    await expect.poll(() => toasts).toContain('Your device could not share it. Copy the link instead.')
  })

  test('says that it cannot be loaded, and loads on retry', async ({ page, stack, register, enter }) => {
    const member = await register()
    await enter(member)
    await page.route(/\/api\/share\//, (route) => route.fulfill({ status: 500, json: {} }))
    await page.goto('/share')
    await expect(visibleMain(page).getByRole('heading', { name: 'Your invitation could not be loaded' })).toBeVisible()
    await page.unrouteAll({ behavior: 'wait' })
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect(visibleMain(page)).toContainText(linkOf(stack, member))
  })
})
