import type { Page } from '@playwright/test'
import { expectHome, signInPage } from '../browser/sign-in.ts'
import { expect, test } from '../browser/test.ts'

const selector = (page: Page) => page.getByRole('combobox')

test.describe('the language', () => {
  test('is English for a new visitor', async ({ page }) => {
    await page.goto('/login')
    await expect(page.getByRole('combobox', { name: 'Language' })).toHaveValue('en')
    await expect(page.locator('html')).toHaveAttribute('lang', 'en')
  })

  for (const [locale, language] of [
    ['zh-TW', 'zh_tw'],
    ['zh-HK', 'zh_tw'],
    ['zh-Hant-MY', 'zh_tw'],
    ['zh-CN', 'zh_cn'],
    ['zh-SG', 'zh_cn'],
    ['de-DE', 'en'],
  ] as const)
    test.describe(`of a new visitor with a browser in ${locale}`, () => {
      test.use({ locale })
      test(`is ${language}`, async ({ page }) => {
        await page.goto('/login')
        await expect(selector(page)).toHaveValue(language)
      })
    })

  test('of an invitation link is that of the inviter, at the first visit', async ({ page, register, enter }) => {
    await page.goto('/regist?invite=00000000&lang=zh_tw')
    await expect(selector(page)).toHaveValue('zh_tw')
    await page.goto('/regist?invite=00000000&lang=fr')
    await expect(selector(page)).toHaveValue('en')
    await selector(page).selectOption('zh_cn')
    await page.goto('/regist?invite=00000000&lang=zh_tw')
    await expect(selector(page)).toHaveValue('zh_cn')

    const member = await register()
    await enter(member)
    await page.goto('/setting')
    await page.getByRole('radio', { name: '简体中文' }).check()
    await expect(page.locator('html')).toHaveAttribute('lang', 'zh-Hans')
    await page.goto('/share')
    await expect(page.getByText(`/regist?invite=${member.inviteCode}&lang=zh_cn`)).toBeVisible()
  })

  test('chosen before the login is kept after a reload, sent to the server and stored there', async ({
    page,
    request,
    register,
    giveWallet,
  }) => {
    const member = await register()
    await giveWallet({ account: member.account })
    await page.goto('/login')
    await selector(page).selectOption('zh_tw')
    await expect(page.locator('html')).toHaveAttribute('lang', 'zh-Hant')
    await page.reload()
    await expect(selector(page)).toHaveValue('zh_tw')
    expect(await page.evaluate(() => localStorage.getItem('lang'))).toBe('zh_tw')

    const posted = page.waitForRequest(/\/api\/sign\/login/)
    await signInPage(page)
      .wallet(/Plain Wallet/)
      .click()
    const login = await posted
    expect(login.postDataJSON()).toMatchObject({ lang: 'zh_tw' })
    expect((await login.allHeaders())['accept-language']).toBe('zh-TW')
    await expectHome(page, member.account.address)
    await expect(page.locator('html')).toHaveAttribute('lang', 'zh-Hant')

    const token = await page.evaluate(() => JSON.parse(localStorage.getItem('session') ?? '{}').state.token as string)
    const profile = await request.get(`/api/account/profile?account=${member.account.address}`, {
      headers: { authorization: `Bearer ${token}` },
    })
    expect(await profile.json()).toMatchObject({ data: { lang: 'zh_tw' } })
  })

  test('changed in the settings is sent to the server and stays after logout', async ({ page, register, enter }) => {
    const member = await register()
    await enter(member)
    await page.goto('/setting')
    const told = page.waitForResponse(/\/api\/account\/lang/)
    await page.getByRole('radio', { name: '简体中文' }).check()
    expect((await told).status()).toBe(200)
    await expect(page.locator('html')).toHaveAttribute('lang', 'zh-Hans')
    await page.getByRole('button', { name: '退出登录' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: '退出登录' }).click()
    await expect(page).toHaveURL('/login')
    await expect(selector(page)).toHaveValue('zh_cn')
  })

  test('applies to refusal messages', async ({ page, giveWallet }) => {
    await giveWallet()
    await page.goto('/regist?invite=00000000')
    await selector(page).selectOption('zh_cn')
    await signInPage(page)
      .wallet(/Plain Wallet/)
      .click()
    await expect(page.getByText('没有这个邀请码，请与您的邀请人核对。')).toBeVisible()
  })

  test('changes in other tabs too', async ({ page, context }) => {
    await page.goto('/login')
    const other = await context.newPage()
    await other.goto('/login')
    await selector(other).selectOption('zh_cn')
    await expect(page.locator('html')).toHaveAttribute('lang', 'zh-Hans')
  })

  test('falls back to English if it is unknown', async ({ page }) => {
    await page.goto('/healthz')
    await page.evaluate(() => localStorage.setItem('lang', 'fr'))
    await page.goto('/login')
    await expect(selector(page)).toHaveValue('en')
  })
})
