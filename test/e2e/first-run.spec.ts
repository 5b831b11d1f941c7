import type { Locator, Page } from '@playwright/test'
import { switchTo } from '../browser/appearance.ts'
import { askFor } from '../browser/member.ts'
import { acceptRisks, expectHome, signIn, storedSession } from '../browser/sign-in.ts'
import { expect, test } from '../browser/test.ts'

test.afterEach(({ page }) => page.unrouteAll({ behavior: 'ignoreErrors' }))

const explanation = (page: Page): Locator => page.getByRole('heading', { level: 1, name: 'Before you begin' })

test.describe('the explanation of risks', () => {
  test('stands before whatever page a newcomer opens, and is accepted once', async ({
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
      'A promotion is spent',
      'A pledge cannot be ended early',
      'People and software can fail',
      'Your wallet is in your hands alone',
      'Laws differ',
    ])
    await expect(page.getByText('Use only money whose loss you can bear.')).toBeVisible()

    await acceptRisks(page)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Wallet')
    await expect(page.getByRole('main')).toBeFocused()
    const { risk } = await askFor(stack, 'account/profile', member)
    expect(risk).toEqual({ version: 1, acceptedAt: expect.stringMatching(/Z$/) })
    await page.reload()
    await expect(page.getByRole('link', { name: 'Open setting' })).toBeVisible()
    await expect(explanation(page)).toHaveCount(0)
  })

  test('accepted while the page behind it is still on its way leads there', async ({ page, register, giveWallet }) => {
    const member = await register({ knowsRisks: false })
    await giveWallet({ account: member.account })
    const arrives = Promise.withResolvers<void>()
    await page.route(/\/assets\/home-.*\.js/, async (route) => {
      await arrives.promise
      await route.continue()
    })
    await page.goto('/login')
    await signIn(page)
      .wallet(/Plain Wallet/)
      .click()
    await expect(explanation(page)).toBeVisible()
    await acceptRisks(page)
    await expect(explanation(page)).toHaveCount(0)
    arrives.resolve()
    await expectHome(page, member.account.address)
  })

  test('is read in the language that the reader chooses there', async ({ page, register, enter }) => {
    await enter(await register({ knowsRisks: false }))
    await page.goto('/home')
    await expect(explanation(page)).toBeVisible()
    for (const [language, title, accept] of [
      ['zh_tw', '開始之前', '我已讀完並接受'],
      ['zh_cn', '开始之前', '我已读完并接受'],
    ] as const) {
      await switchTo(page, { language })
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(title)
      await expect(page.getByRole('button', { name: accept })).toBeVisible()
    }
  })

  test('that could not be accepted says why, and can be accepted again', async ({ page, register, enter, toasts }) => {
    const member = await register({ knowsRisks: false })
    await enter(member)
    await page.goto('/home')
    const changed = { code: 409, message: '', reason: 'risk-changed', data: null }
    await page.route(/\/api\/account\/accept-risk/, (route) => route.fulfill({ status: 409, json: changed }))
    await acceptRisks(page)
    await expect(page.getByRole('alert')).toContainText('What there is to know about the risks has changed.')
    await expect(explanation(page)).toBeVisible()
    await page.unrouteAll({ behavior: 'wait' })
    await acceptRisks(page)
    await expectHome(page, member.account.address)
    expect(toasts).toEqual([])
  })

  test('that is not accepted leads out', async ({ page, stack, register, enter }) => {
    const member = await register({ knowsRisks: false })
    await enter(member)
    await page.goto('/home')
    await page.getByRole('button', { name: 'Not now, log out' }).click()
    await expect(page).toHaveURL(/\/login/)
    expect((await storedSession(page)).token).toBeNull()
    await expect(explanation(page)).toHaveCount(0)
    const login = await page.request.get(`${stack.origin}/api/account/profile?account=${member.account.address}`, {
      headers: { authorization: `Bearer ${member.token}` },
    })
    expect(login.status()).toBe(401)
  })

  test('is not asked of whoever only takes assets out', async ({ page, register, disable, giveWallet }) => {
    const member = await register({ knowsRisks: false })
    await giveWallet({ account: member.account })
    await disable(member)
    await page.goto('/login')
    await signIn(page)
      .wallet(/Plain Wallet/)
      .click()
    await page.getByRole('button', { name: 'Take your assets out' }).click()
    await expect(page).toHaveURL('/wallet')
    await expect(page.getByText('This sign-in is only for taking your assets out.')).toBeVisible()
    await expect(explanation(page)).toHaveCount(0)
  })
})
