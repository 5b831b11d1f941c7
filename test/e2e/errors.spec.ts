import type { Page, Route } from '@playwright/test'
import { limitClipboard } from '../browser/clipboard.ts'
import { returnToForeground } from '../browser/foreground.ts'
import { measureShownTime } from '../browser/measure-shown-time.ts'
import { signInPage } from '../browser/sign-in.ts'
import { expect, test } from '../browser/test.ts'

/** Replaces the server's answer for the member's profile. */
const answerProfile = (page: Page, answer: (route: Route) => Promise<void>) =>
  page.route(/\/api\/account\/profile/, answer)

test.describe('an error message is shown', () => {
  const answers: [what: string, status: number, body: unknown, said: string][] = [
    ['a refusal in the envelope', 200, { code: 409, message: 'Taken', data: null }, 'Taken'],
    ['an error with words in its body', 422, { error: 'No more today' }, 'No more today'],
    ['an error without words', 403, {}, 'Access denied'],
    ['an answer that is none', 200, { nothing: 'here' }, 'NET ERROR!'],
  ]
  for (const [what, status, body, said] of answers) {
    test(`for ${what}: in the page while it has no data, otherwise in a toast`, async ({
      page,
      register,
      enter,
      toasts,
    }) => {
      await enter(await register())
      await page.clock.install()
      await answerProfile(page, (route) => route.fulfill({ status, json: body }))
      await page.goto('/home')
      await expect(page.getByRole('main')).toContainText(said)
      expect(toasts).toEqual([])

      await page.unrouteAll()
      await page.getByRole('button', { name: 'Try again' }).click()
      await expect(page.getByRole('main')).toContainText('Not activated')
      await answerProfile(page, (route) => route.fulfill({ status, json: body }))
      await returnToForeground(page)
      await expect.poll(() => toasts).toEqual([said])
      await expect(page.getByRole('main'), 'what was known stays').toContainText('Not activated')
    })
  }

  test('for a failing gateway, after three attempts', async ({ page, register, enter }) => {
    await enter(await register())
    let asked = 0
    await answerProfile(page, (route) => {
      asked += 1
      return route.fulfill({ status: 503, json: {} })
    })
    await page.clock.install()
    await page.goto('/home')
    await expect(async () => {
      await page.clock.runFor(1_000)
      expect(asked).toBe(3)
    }).toPass()
    await expect(page.getByRole('heading', { name: 'Your account could not be loaded' })).toBeVisible()
    await expect(page.getByRole('main')).toContainText('Service unavailable')
  })

  test('when the server cannot be reached', async ({ page, register, enter }) => {
    await enter(await register())
    await answerProfile(page, (route) => route.abort('connectionrefused'))
    await page.goto('/home')
    const said = 'Network connection failed. Please check your network settings.'
    await expect(page.getByRole('main')).toContainText(said, { timeout: 15_000 })
    await page.unrouteAll()
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect(page.getByRole('main')).toContainText('Not activated')
  })

  test('after a minute without an answer', async ({ page, register, enter }) => {
    await enter(await register())
    await answerProfile(page, () => new Promise(() => {}))
    await page.clock.install()
    const asked = page.waitForRequest(/\/api\/account\/profile/)
    await page.goto('/home')
    await asked
    // Three attempts of a minute each, and the pauses between them.
    for (let minutes = 0; minutes < 4; minutes++) await page.clock.runFor(61_000)
    await expect(page.getByRole('heading', { name: 'Your account could not be loaded' })).toBeVisible()
  })
})

test.describe('a toast', () => {
  test('lasts two seconds', async ({ page, register, enter }) => {
    await limitClipboard(page, { api: 'absent', execCommand: 'fails' })
    await enter(await register())
    const lasted = await measureShownTime(page, 'Your browser does not support the Clipboard API.')
    await page.goto('/share')
    await page.getByRole('button', { name: 'Copy invitation link' }).click()
    expect(await lasted()).toBeGreaterThan(1_900)
    expect(await lasted()).toBeLessThan(4_000)
  })
})

test.describe('copying', () => {
  const copy = (page: Page) => page.getByRole('button', { name: 'Copy invitation link' })

  test('confirms success in a toast and briefly on the button', async ({ page, context, register, enter, toasts }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    const member = await register()
    await enter(member)
    const lasted = await measureShownTime(page, 'Copied')
    await page.goto('/share')
    await copy(page).click()
    await expect.poll(() => toasts).toContain('Copy successful')
    expect(await lasted()).toBeGreaterThan(1_400)
    expect(await lasted()).toBeLessThan(3_000)
    expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(
      new RegExp(`/regist\\?invite=${member.inviteCode}$`),
    )
  })

  test('says when the browser does not support it', async ({ page, register, enter, toasts }) => {
    await limitClipboard(page, { api: 'absent', execCommand: 'fails' })
    await enter(await register())
    await page.goto('/share')
    await copy(page).click()
    await expect.poll(() => toasts).toContain('Your browser does not support the Clipboard API.')
  })

  test('says when it failed', async ({ page, register, enter, toasts }) => {
    await limitClipboard(page, { api: 'denied', execCommand: 'fails' })
    await enter(await register())
    await page.goto('/share')
    await copy(page).click()
    await expect.poll(() => toasts).toContain('Copy failed')
  })
})

test.describe('the waiting overlay', () => {
  test('covers the app during a registration, and nothing below it can be reached', async ({
    page,
    stack,
    giveWallet,
  }) => {
    await giveWallet()
    let answer = () => {}
    await page.route(/\/api\/sign\/regist/, async (route) => {
      await new Promise<void>((resolve) => {
        answer = resolve
      })
      await route.continue()
    })
    await page.goto(`/regist?invite=${stack.rootCode}`)
    await signInPage(page)
      .wallet(/Plain Wallet/)
      .click()
    await page.getByRole('button', { name: 'Confirm and sign' }).click()
    const overlay = page.getByRole('dialog', { name: 'Loading...' })
    await expect(overlay).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(overlay).toBeVisible()
    answer()
    await expect(page.getByRole('heading', { name: 'You are registered' })).toBeVisible()
    await expect(overlay).toBeHidden()
  })
})
