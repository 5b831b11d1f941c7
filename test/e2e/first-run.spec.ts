import { RISK_VERSION } from '@lode/wire'
import type { Locator, Page } from '@playwright/test'
import { switchAppearance } from '../browser/appearance.ts'
import { getAs } from '../browser/member.ts'
import { acceptRisks, expectHome, readStoredSession, signInPage } from '../browser/sign-in.ts'
import { expect, test } from '../browser/test.ts'

test.afterEach(({ page }) => page.unrouteAll({ behavior: 'ignoreErrors' }))

const explanation = (page: Page): Locator => page.getByRole('heading', { level: 1, name: 'Before you begin' })

test.describe('the explanation of risks', () => {
  test('is shown before any page that a new member opens, and is accepted once', async ({
    page,
    stack,
    register,
    enter,
  }) => {
    const member = await register({ knowsRisks: false })
    await enter(member)
    await page.goto('/wallet')
    await expect(explanation(page)).toBeVisible()
    await expect(page).toHaveTitle(/^Before you begin/)
    await expect(page.getByRole('navigation')).toHaveCount(0)
    await expect(page.getByRole('listitem').getByRole('heading')).toHaveText([
      'No return is promised',
      'BTN can lose its value',
      'Promotions are not refunded',
      'A pledge cannot be ended early',
      'People and software can fail',
      'Only you control your wallet',
      'Laws differ',
    ])
    await expect(page.getByText('Only use money you can afford to lose.')).toBeVisible()

    await acceptRisks(page)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Wallet')
    await expect(page.getByRole('main')).toBeFocused()
    const { risk } = await getAs(stack, 'account/profile', member)
    expect(risk).toEqual({ version: RISK_VERSION, acceptedAt: expect.stringMatching(/Z$/) })
    await page.reload()
    await expect(page.getByRole('link', { name: 'Open setting' })).toBeVisible()
    await expect(explanation(page)).toHaveCount(0)
  })

  test('leads to the requested page, even if that was still loading when it was accepted', async ({
    page,
    register,
    giveWallet,
  }) => {
    const member = await register({ knowsRisks: false })
    await giveWallet({ account: member.account })
    const arrives = Promise.withResolvers<void>()
    await page.route(/\/assets\/home-.*\.js/, async (route) => {
      await arrives.promise
      await route.continue()
    })
    await page.goto('/login')
    await signInPage(page)
      .wallet(/Plain Wallet/)
      .click()
    await expect(explanation(page)).toBeVisible()
    await acceptRisks(page)
    await expect(explanation(page)).toHaveCount(0)
    arrives.resolve()
    await expectHome(page, member.account.address)
  })

  test('can be read in another language', async ({ page, register, enter }) => {
    await enter(await register({ knowsRisks: false }))
    await page.goto('/home')
    await expect(explanation(page)).toBeVisible()
    for (const [language, title, accept] of [
      ['zh_tw', '開始之前', '我已讀完並接受'],
      ['zh_cn', '开始之前', '我已读完并接受'],
    ] as const) {
      await switchAppearance(page, { language })
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(title)
      await expect(page.getByRole('button', { name: accept })).toBeVisible()
    }
  })

  test('shows why accepting failed, and can be accepted again', async ({ page, register, enter, toasts }) => {
    const member = await register({ knowsRisks: false })
    await enter(member)
    await page.goto('/home')
    const changed = { code: 409, message: '', reason: 'risk-changed', data: null }
    await page.route(/\/api\/account\/accept-risk/, (route) => route.fulfill({ status: 409, json: changed }))
    await acceptRisks(page)
    await expect(page.getByRole('alert')).toContainText('The risk explanation has changed.')
    await expect(explanation(page)).toBeVisible()
    await page.unrouteAll({ behavior: 'wait' })
    await acceptRisks(page)
    await expectHome(page, member.account.address)
    expect(toasts).toEqual([])
  })

  test('logs the member out if it is not accepted', async ({ page, stack, register, enter }) => {
    const member = await register({ knowsRisks: false })
    await enter(member)
    await page.goto('/home')
    await page.getByRole('button', { name: 'Not now, log out' }).click()
    await expect(page).toHaveURL(/\/login/)
    expect((await readStoredSession(page)).token).toBeNull()
    await expect(explanation(page)).toHaveCount(0)
    const login = await page.request.get(`${stack.origin}/api/account/profile?account=${member.account.address}`, {
      headers: { authorization: `Bearer ${member.token}` },
    })
    expect(login.status()).toBe(401)
  })

  test('is not shown in an exit session', async ({ page, register, disable, giveWallet }) => {
    const member = await register({ knowsRisks: false })
    await giveWallet({ account: member.account })
    await disable(member)
    await page.goto('/login')
    await signInPage(page)
      .wallet(/Plain Wallet/)
      .click()
    await page.getByRole('button', { name: 'Take your assets out' }).click()
    await expect(page).toHaveURL('/wallet')
    await expect(page.getByText('This sign-in is only for taking your assets out.')).toBeVisible()
    await expect(explanation(page)).toHaveCount(0)
  })
})
