import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { languages } from '@lode/wire'
import { expect, type Page, test } from '@playwright/test'
import { switchTo, themes } from '../browser/appearance.ts'
import { cast, type RoleName } from './cast.ts'
import { fullSize, livesOf } from './lives.ts'
import { Member } from './member.ts'

const repository = resolve(import.meta.dirname, '../..')
const folder = resolve(repository, 'artifacts/shots-demo')
const stackFolder = resolve(repository, process.env.LODE_DEV_FOLDER ?? '.data/dev')

/** Every screen as somebody who has something on it. */
const screens: Readonly<Record<RoleName, readonly string[]>> = {
  first: ['/home', '/teams', '/teams/maps', '/setting/dao'],
  new: ['/home', '/wallet', '/pledge', '/promotion'],
  activated: [
    '/home',
    '/promotion',
    '/promotion/reward',
    '/setting/subscribe',
    '/share',
    '/setting/notice',
    '/setting/help',
  ],
  expert: ['/promotion', '/promotion/reward', '/wallet'],
  ready: ['/teams', '/setting/dao', '/promotion'],
  applicant: ['/setting/dao'],
  pledger: ['/home', '/pledge', '/pledge/detail', '/wallet', '/wallet/detail?symbol=BTC', '/wallet/statement'],
  disabled: ['/wallet', '/setting/transfer'],
  sender: ['/setting/transfer', '/wallet', '/wallet/detail?symbol=USDT', '/setting'],
}

test.use({ contextOptions: { reducedMotion: 'reduce' } })

for (const { name } of cast) {
  test(`the ${name} account is pictured on its screens, in both themes and three languages`, async ({ page }) => {
    const origin = /^WEB_URL=(.+)$/m.exec(readFileSync(resolve(stackFolder, 'lode.env'), 'utf8'))?.[1] ?? ''
    await signInAs(page, origin, name)
    for (const path of screens[name]) {
      await page.goto(`${origin}${path}`)
      await arrived(page)
      for (const theme of themes)
        for (const language of languages) {
          await switchTo(page, { theme, language })
          await arrived(page)
          const file = `${name}${path.replace(/\W+/g, '-')}-${theme}-${language}.png`
          await page.screenshot({ path: resolve(folder, file), animations: 'disabled' })
        }
      await switchTo(page, { theme: 'paper', language: 'en' })
    }
  })
}

/** The development wallet's own button is no part of the app. */
async function arrived(page: Page): Promise<void> {
  await page.waitForLoadState('networkidle')
  await expect(page.locator('[aria-busy=true]')).toHaveCount(0)
  await page.evaluate(() => document.querySelector('lode-development-wallet')?.remove())
}

async function signInAs(page: Page, origin: string, role: RoleName): Promise<void> {
  const life = livesOf(fullSize).find((each) => each.role === role)
  if (!life) throw new Error(`nobody is ${role}`)
  const member = new Member(origin, fullSize.seed, life)
  const exit = role === 'disabled'
  const token = await member.signIn({ exit })
  await page.goto(`${origin}/mark.svg`)
  await page.evaluate(
    (state) => {
      localStorage.setItem('session', JSON.stringify({ state, version: 1 }))
      localStorage.setItem('lang', 'en')
    },
    { token, account: member.wallet.address, lang: 'en', roles: [], routers: [], ...(exit && { exit }) },
  )
}
