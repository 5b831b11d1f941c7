import { routes } from '@lode/wire'
import { readStoredSession, signInPage } from '../browser/sign-in.ts'
import { expect, test } from '../browser/test.ts'

/** This route ends the token, so it is tried last. */
const LAST = 'account/logout'

test.describe('a disabled account', () => {
  test('is refused at login and offered an exit session, whose token opens nothing else', async ({
    page,
    request,
    register,
    disable,
    giveWallet,
  }) => {
    const member = await register()
    await giveWallet({ account: member.account })
    await disable(member)
    await page.goto('/login')
    await signInPage(page)
      .wallet(/Plain Wallet/)
      .click()
    await expect(page.getByText('Invalid account or disabled account').first()).toBeVisible()
    expect((await readStoredSession(page)).token).toBeNull()

    await page.getByRole('button', { name: 'Take your assets out' }).click()
    await expect(page).not.toHaveURL(/\/login/)
    await expect(page.getByText(/This sign-in is only for taking your assets out\./).first()).toBeVisible()
    const { token } = await readStoredSession(page)
    expect(token).not.toBeNull()

    const { address } = member.account
    const ask = { headers: { authorization: `Bearer ${token}` } }
    const closed = Object.entries(routes).filter(([name, { access }]) => access !== 'open' && name !== LAST)
    for (const [name, route] of closed) {
      const answer =
        route.method === 'GET'
          ? await request.get(`/api/${name}?account=${address}`, ask)
          : await request.post(`/api/${name}`, { ...ask, data: { account: address, lang: 'en' } })
      const { reason } = (await answer.json()) as { reason?: string }
      if (route.access === 'exit') expect(reason, name).not.toBe('exit-only')
      else expect([answer.status(), reason], name).toEqual([403, 'exit-only'])
    }
    expect((await request.post(`/api/${LAST}`, { ...ask, data: { account: address } })).status()).toBe(200)
    expect((await request.get(`/api/account/profile?account=${address}`, ask)).status()).toBe(401)
  })

  test('cannot invite in an exit session, and its language is not sent to the server', async ({
    page,
    register,
    disable,
    giveWallet,
  }) => {
    const member = await register()
    await giveWallet({ account: member.account })
    await disable(member)
    const posted: string[] = []
    page.on('request', (asked) => {
      if (asked.method() === 'POST') posted.push(new URL(asked.url()).pathname)
    })
    await page.goto('/login')
    await signInPage(page)
      .wallet(/Plain Wallet/)
      .click()
    await page.getByRole('button', { name: 'Take your assets out' }).click()
    await expect(page.getByText(/This sign-in is only for taking your assets out\./).first()).toBeVisible()

    await page.getByRole('link', { name: 'Open setting' }).click()
    await expect(page.getByRole('link', { name: 'Transfer out' })).toBeVisible()
    await expect(page.getByRole('link', { name: 'Invite friends' })).toHaveCount(0)
    await page.getByRole('radio', { name: '简体中文' }).check()
    await expect(page.locator('html')).toHaveAttribute('lang', 'zh-Hans')
    await page.getByRole('button', { name: '退出登录' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: '退出登录' }).click()
    await expect(page).toHaveURL('/login')
    expect(posted).toEqual(['/api/sign/login', '/api/sign/login', '/api/account/logout'])
  })

  test('sees since when and why, is not called activated, and can still read help and statement', async ({
    page,
    register,
    disable,
    giveWallet,
  }) => {
    const member = await register()
    await giveWallet({ account: member.account })
    const reason = '有人向我們報告此錢包被盜。請用 {{moment}} 聯絡 <b>我們</b> $t(profile.level)'
    await disable(member, reason)
    await page.goto('/login')
    await signInPage(page)
      .wallet(/Plain Wallet/)
      .click()
    await page.getByRole('button', { name: 'Take your assets out' }).click()
    const since = page.getByText(/^Operators disabled this account on .*20\d\d/)
    const why = page.getByText(`Their reason: ${reason}`, { exact: true })
    await expect(since).toBeVisible()
    await expect(why).toBeVisible()
    for (const width of [390, 320]) {
      await page.setViewportSize({ width, height: 844 })
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width)
      await page.screenshot({ path: test.info().outputPath(`disabled-${width}.png`) })
    }
    await page.getByRole('link', { name: /^Statement/ }).click()
    await expect(page).toHaveURL('/wallet/statement')
    await expect(page.getByRole('heading', { name: /could not be loaded/ })).toHaveCount(0)

    await page.goto('/setting')
    await expect(why).toBeVisible()
    await expect(page.getByText('Disabled', { exact: true })).toBeVisible()
    await expect(page.getByText(/^(Not activated|Activated)$/)).toHaveCount(0)
    await page.screenshot({ path: test.info().outputPath('disabled-setting-320.png') })
    await page.getByRole('link', { name: /^Help center/ }).click()
    await expect(page).toHaveURL('/setting/help')
    await expect(page.getByRole('heading', { name: /could not be loaded/ })).toHaveCount(0)
  })

  test('loses its running session at once', async ({ page, register, enter, disable }) => {
    const member = await register()
    await enter(member)
    // An answer that arrived only after the disabling would end the session before the reload.
    await page.goto('/home', { waitUntil: 'networkidle' })
    await disable(member)
    await page.reload()
    await expect(page).toHaveURL(/\/login\?redirect=%2Fhome$/)
    expect((await readStoredSession(page)).token).toBeNull()
  })
})
