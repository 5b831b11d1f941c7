import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Language } from '@lode/wire'
import { expect, type Page, test } from '@playwright/test'
import { switchAppearance, type Theme } from '../browser/appearance.ts'
import { picturesFolder, signInAs, waitUntilLoaded } from './browser.ts'
import type { RoleName } from './cast.ts'
import { webOrigin } from './dev-stack.ts'

/** The pictures of the README. docs/demo.md explains how to update them. */
const folder = resolve(picturesFolder, 'readme')
const fileOf = (name: string): string => resolve(folder, `${name}.png`)

test.use({ contextOptions: { reducedMotion: 'reduce' }, viewport: { width: 390, height: 844 } })

type Picture = {
  readonly name: string
  readonly role: RoleName
  readonly path: string
  readonly shows: RegExp
  readonly theme?: Theme
  readonly language?: Language
}

const single: readonly Picture[] = [
  { name: 'demo-home', role: 'pledger', path: '/home', shows: /Total asset value/ },
  { name: 'demo-pledge', role: 'pledger', path: '/pledge', shows: /BTC/ },
  { name: 'demo-rewards', role: 'activated', path: '/promotion/reward', shows: /Missed/ },
  { name: 'demo-team', role: 'first', path: '/teams', shows: /363/ },
]
const ofPhones: readonly Picture[] = [
  { name: 'phone-wallet', role: 'pledger', path: '/wallet', shows: /USDT/ },
  { name: 'phone-payments', role: 'first', path: '/setting/dao?show=payments', shows: /Computing power/ },
  { name: 'phone-pledge', role: 'pledger', path: '/pledge', shows: /BTC/, theme: 'shaft', language: 'zh_tw' },
]

for (const picture of [...single, ...ofPhones])
  test(`screenshot ${picture.name}`, async ({ page }) => {
    await signInAs(page, picture.role)
    await take(page, picture)
  })

test('screenshot of four phones side by side', async ({ page }) => {
  await page.goto(`${webOrigin()}/login`)
  await waitUntilLoaded(page)
  await expect(page.getByRole('button', { name: 'Continue with Lode development wallet' })).toBeVisible()
  await page.screenshot({ path: fileOf('phone-login'), animations: 'disabled' })

  const phones = ['phone-login', ...ofPhones.map(({ name }) => name)].map((name) => {
    const data = readFileSync(fileOf(name)).toString('base64')
    return `<img alt="${name}" src="data:image/png;base64,${data}">`
  })
  await page.setViewportSize({ width: 1280, height: 690 })
  await page.setContent(`<style>
    body { margin: 0; display: flex; justify-content: center; align-items: center; gap: 14px; height: 690px; background: #d9d4cb; }
    img { width: 286px; border: 6px solid #10131a; border-radius: 28px; background: #10131a; }
  </style>${phones.join('')}`)
  await expect(page.getByRole('img')).toHaveCount(4)
  await page.screenshot({ path: fileOf('screens') })
})

async function take(page: Page, { name, path, shows, theme = 'paper', language = 'en' }: Picture): Promise<void> {
  await page.goto(`${webOrigin()}${path}`)
  await waitUntilLoaded(page)
  await expect(page.locator('main:visible')).toContainText(shows)
  await switchAppearance(page, { theme, language })
  await waitUntilLoaded(page)
  await page.screenshot({ path: fileOf(name), animations: 'disabled' })
}
