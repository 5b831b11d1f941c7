import { returnToForeground } from '../browser/foreground.ts'
import { storeSession } from '../browser/member.ts'
import { askToLogOut, expectHome, readStoredSession, signInPage } from '../browser/sign-in.ts'
import { expect, test } from '../browser/test.ts'

test.describe('the session', () => {
  test('that has expired leads to the login and then back to the same page with its query', async ({
    page,
    register,
    enter,
    leaveIdle,
    giveWallet,
  }) => {
    const member = await register()
    await giveWallet({ account: member.account })
    await enter(member)
    await leaveIdle(member, 31)
    await page.goto('/setting?from=mail&day=20412#theme')
    await expect(page).toHaveURL(`/login?redirect=${encodeURIComponent('/setting?from=mail&day=20412#theme')}`)
    expect(await readStoredSession(page)).toEqual({ token: null, account: null })
    await expect(page.getByRole('contentinfo').getByRole('status')).toContainText(
      'Your session has ended. Please sign in again.',
    )

    await signInPage(page)
      .wallet(/Plain Wallet/)
      .click()
    await expect(page).toHaveURL('/setting?from=mail&day=20412#theme')
    await expect(page.getByRole('heading', { name: 'Setting' })).toBeVisible()
  })

  test('that expires on an open page says so, and the next session continues on that page', async ({
    page,
    register,
    enter,
    leaveIdle,
    giveWallet,
    toasts,
  }) => {
    const member = await register()
    await giveWallet({ account: member.account })
    await enter(member)
    await page.clock.install()
    await page.goto('/setting?from=mail')
    await expect(page.getByText('Not activated')).toBeVisible()
    await leaveIdle(member, 31)
    await returnToForeground(page)
    await expect(page).toHaveURL('/login?redirect=%2Fsetting%3Ffrom%3Dmail')
    await expect.poll(() => toasts).toContain('Your session has ended. Please sign in again.')

    await signInPage(page)
      .wallet(/Plain Wallet/)
      .click()
    await expect(page).toHaveURL('/setting?from=mail')
    await expect(page.getByText('Not activated')).toBeVisible()
  })

  test('is required for every page that is not public', async ({ page }) => {
    for (const path of ['/', '/home', '/setting', '/wallet', '/nowhere']) {
      await page.goto(path)
      await expect(page, path).toHaveURL('/login')
    }
    await expect(page.getByText('Your session has ended')).toHaveCount(0)
  })

  test('is not required for public pages', async ({ page }) => {
    for (const path of ['/login', '/regist', '/403', '/404', '/500']) {
      await page.goto(path)
      await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible()
      await expect(page, path).toHaveURL(path)
    }
    await page.goto('/ido')
    await expect(page.getByText('404')).toBeVisible()
  })

  test('redirects from the login page to the app', async ({ page, register, enter }) => {
    const member = await register()
    await enter(member)
    await page.goto('/login')
    await expectHome(page, member.account.address)
    await page.goto('/login?redirect=/setting')
    await expect(page).toHaveURL('/setting')
  })

  for (const hostile of [
    '//evil.example',
    '/\\evil.example',
    'https://evil.example',
    'javascript:alert(1)',
    '/nowhere',
  ]) {
    test(`does not follow a redirect to ${hostile}`, async ({ page, register, enter }) => {
      const member = await register()
      await enter(member)
      await page.goto(`/login?redirect=${encodeURIComponent(hostile)}`)
      await expectHome(page, member.account.address)
    })
  }

  test('is shared by the tabs: logging out in one logs out the other', async ({ page, context, register, enter }) => {
    const member = await register()
    await enter(member)
    await page.goto('/home')
    const other = await context.newPage()
    await other.goto('/setting')
    await (await askToLogOut(other)).getByRole('button', { name: 'Log out' }).click()
    await expect(other).toHaveURL('/login')
    await expect(page).toHaveURL('/login')
  })

  test('is shared by the tabs: signing in in one signs in the other', async ({
    page,
    context,
    register,
    giveWallet,
  }) => {
    const member = await register()
    await giveWallet({ account: member.account })
    const other = await context.newPage()
    await other.goto('/login')
    await page.goto('/login')
    await signInPage(page)
      .wallet(/Plain Wallet/)
      .click()
    await expectHome(page, member.account.address)
    await expectHome(other, member.account.address)
  })

  test('of another member, started in another tab, shows no data of the previous member', async ({
    page,
    context,
    register,
    enter,
  }) => {
    const [alice, bob] = [await register(), await register()]
    await enter(alice)
    await page.goto('/setting')
    await expect(page.getByRole('main')).toContainText(alice.account.address)
    await askToLogOut(page)

    await storeSession(await context.newPage(), bob)
    await expect(page.getByRole('alertdialog'), 'it asked Alice').toBeHidden()
    await expect(page.getByRole('main')).toContainText(bob.account.address)
  })

  test('ends at logout at once, even if the server answers slowly', async ({ page, register, enter }) => {
    await enter(await register())
    await page.goto('/setting')
    await page.route(/\/api\/account\/logout/, () => new Promise(() => {}))
    const told = page.waitForRequest(/\/api\/account\/logout/)
    await (await askToLogOut(page)).getByRole('button', { name: 'Log out' }).click()
    await told
    await expect(page).toHaveURL('/login')
    expect(await readStoredSession(page)).toEqual({ token: null, account: null })
  })

  test('ends at logout on the server too', async ({ page, request, register, enter }) => {
    const member = await register()
    await enter(member)
    await page.goto('/home')
    await page.getByRole('link', { name: 'Open setting' }).click()
    await (await askToLogOut(page)).getByRole('button', { name: 'Cancel' }).click()
    await expect(page.getByRole('alertdialog')).toBeHidden()
    await (await askToLogOut(page)).getByRole('button', { name: 'Log out' }).click()
    await expect(page).toHaveURL('/login')
    expect(await readStoredSession(page)).toEqual({ token: null, account: null })
    const answer = async () => {
      const headers = { authorization: `Bearer ${member.token}` }
      return (await request.get(`/api/account/profile?account=${member.account.address}`, { headers })).status()
    }
    await expect.poll(answer).toBe(401)
    await page.goBack()
    await expect(page).toHaveURL('/login')
  })

  test('is not extended by automatic requests of the app', async ({ page, register, enter }) => {
    const member = await register()
    await enter(member)
    await page.clock.install()
    await page.goto('/home')
    await expectHome(page, member.account.address)
    const asked = page.waitForRequest(/account\/profile/)
    await returnToForeground(page, '05:00')
    const idle = Number((await (await asked).allHeaders())['x-idle-seconds'])
    expect(idle).toBeGreaterThanOrEqual(300)
  })
})
