import { resolve } from 'node:path'
import { expect, type Page } from '@playwright/test'
import { cast, type RoleName } from './cast.ts'
import { repository, webOrigin } from './dev-stack.ts'
import { Member } from './member.ts'
import { drawMemberScripts, fullSize } from './member-scripts.ts'

export const picturesFolder = resolve(repository, 'artifacts/shots-demo')

/** Signs in as an account of the cast. Chooses that account in the development wallet. */
export async function signInAs(page: Page, role: RoleName): Promise<void> {
  const origin = webOrigin()
  const life = drawMemberScripts(fullSize).find((each) => each.role === role)
  const place = cast.find(({ name }) => name === role)?.place
  if (!life || place === undefined) throw new Error(`nobody is ${role}`)
  const member = new Member(origin, fullSize.seed, life)
  const exit = role === 'disabled'
  const token = await member.signIn({ exit })
  await page.goto(`${origin}/mark.svg`)
  await page.evaluate(
    ({ state, account }) => {
      localStorage.setItem('session', JSON.stringify({ state, version: 1 }))
      localStorage.setItem('lang', 'en')
      localStorage.setItem('dev-wallet', JSON.stringify({ account, connected: true }))
      localStorage.setItem('wallet', 'dev.lode.wallet')
    },
    {
      state: { token, account: member.wallet.address, lang: 'en', roles: [], routers: [], ...(exit && { exit }) },
      account: place,
    },
  )
}

/**
 * Waits until everything is loaded and drawn. Removes the development wallet's button, which is not part of the app.
 */
export async function waitUntilLoaded(page: Page): Promise<void> {
  await page.waitForLoadState('networkidle')
  await expect(page.locator('[aria-busy=true]')).toHaveCount(0)
  await page.evaluate(() => document.querySelector('lode-development-wallet')?.remove())
}
