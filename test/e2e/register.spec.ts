import { expectHome, signInPage } from '../browser/sign-in.ts'
import { expect, test } from '../browser/test.ts'

/** A code as the page shows it: in two groups. */
const formatInviteCode = (code: string) => `${code.slice(0, 4)}-${code.slice(4)}`

test.describe('registering', () => {
  test('with an invitation link asks to confirm the inviter by its address tail', async ({
    page,
    register,
    giveWallet,
  }) => {
    const inviter = await register()
    const wallet = await giveWallet()
    const tail = inviter.account.address.slice(-6)

    await page.goto(`/regist?invite=${inviter.inviteCode}`)
    await expect(page.getByRole('textbox', { name: 'Invitation code' })).toHaveValue(
      formatInviteCode(inviter.inviteCode),
    )
    await signInPage(page)
      .wallet(/Plain Wallet/)
      .click()

    const confirm = signInPage(page).confirmInviter
    await expect(confirm).toContainText(new RegExp(tail, 'i'))
    await expect(confirm).toContainText(/cannot be changed or cancell?ed/)
    await expect(confirm.getByRole('listitem'), 'the risks come before anything is bound').toHaveCount(7)
    await expect(confirm).toContainText('By confirming you accept the risks above.')
    expect(wallet.countRequests('personal_sign')).toBe(0)
    await confirm.getByRole('button', { name: 'Confirm and sign' }).click()

    await expect(page.getByRole('heading', { name: 'You are registered' })).toBeVisible()
    const [{ params: [message] = [] } = {}] = wallet.requests.filter(({ method }) => method === 'personal_sign')
    const text = Buffer.from(String(message).slice(2), 'hex').toString()
    expect(text, 'what is signed says what for').toContain(inviter.inviteCode)
    expect(text.toLowerCase()).toContain(tail.toLowerCase())

    await page.getByRole('button', { name: 'Skip for now' }).click()
    await expectHome(page, wallet.address)
    await expect(page.getByRole('main')).toContainText(new RegExp(tail, 'i'))
  })

  test('shows the set-up code once, with a copy button', async ({ page, context, register, giveWallet }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    const inviter = await register()
    await giveWallet()
    await page.goto(`/regist?invite=${inviter.inviteCode}`)
    await signInPage(page)
      .wallet(/Plain Wallet/)
      .click()
    await page.getByRole('button', { name: 'Confirm and sign' }).click()
    await page.getByRole('button', { name: 'Copy the set-up code' }).click()
    const copied = await page.evaluate(() => navigator.clipboard.readText())
    expect(copied.replaceAll(/[\s-]/g, '')).toMatch(/^[0-9A-HJKMNP-TV-Z]{16}$/)

    await page.getByRole('button', { name: 'Skip for now' }).click()
    await page.goBack()
    await expect(page.getByText(copied)).toHaveCount(0)
  })

  test('continues to the page that the member first requested', async ({ page, stack, giveWallet }) => {
    await giveWallet()
    await page.goto(`/regist?invite=${stack.rootCode}&redirect=%2Fsetting%3Ffrom%3Dmail`)
    await signInPage(page)
      .wallet(/Plain Wallet/)
      .click()
    await page.getByRole('button', { name: 'Confirm and sign' }).click()
    await page.getByRole('button', { name: 'Skip for now' }).click()
    await expect(page).toHaveURL('/setting?from=mail')
  })

  test('still shows the set-up code if the member goes back before the answer arrives', async ({
    page,
    stack,
    giveWallet,
  }) => {
    const wallet = await giveWallet()
    const asked = Promise.withResolvers<void>()
    const answered = Promise.withResolvers<void>()
    await page.route(/\/api\/sign\/regist/, async (route) => {
      asked.resolve()
      await answered.promise
      await route.continue()
    })
    await page.goto(`/login?invite=${stack.rootCode}`)
    await page.getByRole('button', { name: 'Register with an invitation code' }).click()
    await signInPage(page)
      .wallet(/Plain Wallet/)
      .click()
    await page.getByRole('button', { name: 'Confirm and sign' }).click()
    await asked.promise
    await page.goBack()
    await expect(page).toHaveURL(/\/login/)
    answered.resolve()
    await expect(page.getByRole('heading', { name: 'You are registered' })).toBeVisible()
    await expect(page.getByRole('button', { name: 'Copy the set-up code' })).toBeVisible()
    await page.getByRole('button', { name: 'Skip for now' }).click()
    await expectHome(page, wallet.address)
  })

  test('reports a mistyped code before the wallet is asked', async ({ page, stack, giveWallet }) => {
    const wallet = await giveWallet()
    const calls: string[] = []
    page.on('request', (request) => {
      if (request.url().includes('/api/sign/')) calls.push(request.url())
    })
    await page.goto('/regist')
    const typo = stack.rootCode.slice(0, 7) + (stack.rootCode.endsWith('0') ? '1' : '0')
    await page.getByRole('textbox', { name: 'Invitation code' }).fill(typo)
    await signInPage(page)
      .wallet(/Plain Wallet/)
      .click()
    await expect(page.getByText('Invalid invitation code format')).toBeVisible()
    expect(wallet.prompts).toEqual([])
    expect(calls).toEqual([])
  })

  test('reports a code that belongs to nobody', async ({ page, giveWallet }) => {
    await giveWallet()
    // Well formed, but no member has this code.
    await page.goto('/regist?invite=00000000')
    await signInPage(page)
      .wallet(/Plain Wallet/)
      .click()
    await expect(page.getByText('This invitation code does not exist')).toBeVisible()
    await expect(page.getByRole('textbox', { name: 'Invitation code' })).toBeVisible()
  })

  test('offers to log in if the account is already registered', async ({ page, stack, register, giveWallet }) => {
    const member = await register()
    await giveWallet({ account: member.account })
    await page.goto(`/regist?invite=${stack.rootCode}`)
    await signInPage(page)
      .wallet(/Plain Wallet/)
      .click()
    await page.getByRole('button', { name: 'Sign in with this account' }).click()
    await expectHome(page, member.account.address)
  })

  test('is offered at login to an unregistered account', async ({ page, giveWallet }) => {
    const wallet = await giveWallet()
    await page.goto('/login')
    await signInPage(page)
      .wallet(/Plain Wallet/)
      .click()
    await page.getByRole('button', { name: 'Register this account' }).click()
    await expect(page).toHaveURL(/\/regist/)
    expect(wallet.countRequests('personal_sign')).toBe(0)
  })

  test('signs nothing if the member does not confirm the inviter', async ({ page, stack, giveWallet }) => {
    const wallet = await giveWallet()
    await page.goto(`/regist?invite=${stack.rootCode}`)
    await signInPage(page)
      .wallet(/Plain Wallet/)
      .click()
    await page.getByRole('button', { name: 'Use another code' }).click()
    await expect(page.getByRole('textbox', { name: 'Invitation code' })).toBeVisible()
    expect(wallet.countRequests('personal_sign')).toBe(0)
  })
})
