import { acceptRisks, expectHome, putPasswordOff, signIn } from '../browser/sign-in.ts'
import { expect, test } from '../browser/test.ts'

/** A code as the page shows it: in two groups. */
const spelt = (code: string) => `${code.slice(0, 4)}-${code.slice(4)}`

test.describe('registering', () => {
  test('through an invitation link, the inviter confirmed by the end of its address', async ({
    page,
    register,
    giveWallet,
  }) => {
    const inviter = await register()
    const wallet = await giveWallet()
    const tail = inviter.account.address.slice(-6)

    await page.goto(`/regist?invite=${inviter.inviteCode}`)
    await expect(page.getByRole('textbox', { name: 'Invitation code' })).toHaveValue(spelt(inviter.inviteCode))
    await signIn(page)
      .wallet(/Plain Wallet/)
      .click()

    const confirm = signIn(page).confirmInviter
    await expect(confirm).toContainText(new RegExp(tail, 'i'))
    await expect(confirm).toContainText(/cannot be changed or cancell?ed/)
    expect(wallet.asked('personal_sign')).toBe(0)
    await confirm.getByRole('button', { name: 'Confirm and sign' }).click()

    await putPasswordOff(page)
    await expect(page.getByRole('heading', { name: 'You are registered' })).toBeVisible()
    const [{ params: [message] = [] } = {}] = wallet.requests.filter(({ method }) => method === 'personal_sign')
    const text = Buffer.from(String(message).slice(2), 'hex').toString()
    expect(text, 'what is signed says what for').toContain(inviter.inviteCode)
    expect(text.toLowerCase()).toContain(tail.toLowerCase())

    await page.getByRole('button', { name: 'Continue' }).click()
    await acceptRisks(page)
    await expectHome(page, wallet.address)
    await expect(page.getByRole('main')).toContainText(new RegExp(tail, 'i'))
  })

  test('shows the set-up code once, to be copied', async ({ page, context, register, giveWallet }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    const inviter = await register()
    await giveWallet()
    await page.goto(`/regist?invite=${inviter.inviteCode}`)
    await signIn(page)
      .wallet(/Plain Wallet/)
      .click()
    await page.getByRole('button', { name: 'Confirm and sign' }).click()
    await putPasswordOff(page)
    await page.getByRole('button', { name: 'Copy the set-up code' }).click()
    const copied = await page.evaluate(() => navigator.clipboard.readText())
    expect(copied.replaceAll(/[\s-]/g, '')).toMatch(/^[0-9A-HJKMNP-TV-Z]{16}$/)

    await page.getByRole('button', { name: 'Continue' }).click()
    await page.goBack()
    await expect(page.getByText(copied)).toHaveCount(0)
  })

  test('goes on to where the member wanted to go', async ({ page, stack, giveWallet }) => {
    await giveWallet()
    await page.goto(`/regist?invite=${stack.rootCode}&redirect=%2Fsetting%3Ffrom%3Dmail`)
    await signIn(page)
      .wallet(/Plain Wallet/)
      .click()
    await page.getByRole('button', { name: 'Confirm and sign' }).click()
    await putPasswordOff(page)
    await page.getByRole('button', { name: 'Continue' }).click()
    await expect(page).toHaveURL('/setting?from=mail')
  })

  test('left by the back gesture before its answer still shows the set-up code', async ({
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
    await signIn(page)
      .wallet(/Plain Wallet/)
      .click()
    await page.getByRole('button', { name: 'Confirm and sign' }).click()
    await asked.promise
    await page.goBack()
    await expect(page).toHaveURL(/\/login/)
    answered.resolve()
    await putPasswordOff(page)
    await expect(page.getByRole('heading', { name: 'You are registered' })).toBeVisible()
    await expect(page.getByRole('button', { name: 'Copy the set-up code' })).toBeVisible()
    await page.getByRole('button', { name: 'Continue' }).click()
    await acceptRisks(page)
    await expectHome(page, wallet.address)
  })

  test('tells a mistyped code before anything is asked', async ({ page, stack, giveWallet }) => {
    const wallet = await giveWallet()
    const calls: string[] = []
    page.on('request', (request) => {
      if (request.url().includes('/api/sign/')) calls.push(request.url())
    })
    await page.goto('/regist')
    const typo = stack.rootCode.slice(0, 7) + (stack.rootCode.endsWith('0') ? '1' : '0')
    await page.getByRole('textbox', { name: 'Invitation code' }).fill(typo)
    await signIn(page)
      .wallet(/Plain Wallet/)
      .click()
    await expect(page.getByText('Invalid invitation code format')).toBeVisible()
    expect(wallet.prompts).toEqual([])
    expect(calls).toEqual([])
  })

  test('says when nobody has the code', async ({ page, giveWallet }) => {
    await giveWallet()
    // Well formed, but no member has this code.
    await page.goto('/regist?invite=00000000')
    await signIn(page)
      .wallet(/Plain Wallet/)
      .click()
    await expect(page.getByText('Nobody has this invitation code')).toBeVisible()
    await expect(page.getByRole('textbox', { name: 'Invitation code' })).toBeVisible()
  })

  test('offers the login to an account that is registered already', async ({ page, stack, register, giveWallet }) => {
    const member = await register()
    await giveWallet({ account: member.account })
    await page.goto(`/regist?invite=${stack.rootCode}`)
    await signIn(page)
      .wallet(/Plain Wallet/)
      .click()
    await page.getByRole('button', { name: 'Log in with this account' }).click()
    await expectHome(page, member.account.address)
  })

  test('is offered by the login to an account that is not', async ({ page, giveWallet }) => {
    const wallet = await giveWallet()
    await page.goto('/login')
    await signIn(page)
      .wallet(/Plain Wallet/)
      .click()
    await page.getByRole('button', { name: 'Register this account' }).click()
    await expect(page).toHaveURL(/\/regist/)
    expect(wallet.asked('personal_sign')).toBe(0)
  })

  test('signs nothing when the member steps back from the inviter', async ({ page, stack, giveWallet }) => {
    const wallet = await giveWallet()
    await page.goto(`/regist?invite=${stack.rootCode}`)
    await signIn(page)
      .wallet(/Plain Wallet/)
      .click()
    await page.getByRole('button', { name: 'Use another code' }).click()
    await expect(page.getByRole('textbox', { name: 'Invitation code' })).toBeVisible()
    expect(wallet.asked('personal_sign')).toBe(0)
  })
})
