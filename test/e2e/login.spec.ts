import { callPublicRoute } from '../browser/api-answers.ts'
import { deployContractWallet } from '../browser/member.ts'
import { expectHome, readStoredSession, signInPage } from '../browser/sign-in.ts'
import { expect, test } from '../browser/test.ts'
import { newAccount } from '../browser/wallet.ts'

test.describe('logging in', () => {
  test('goes step by step to /home', async ({ page, register, giveWallet }) => {
    const member = await register()
    const wallet = await giveWallet({ account: member.account })
    wallet.setMisbehavior('hangs', 'personal_sign', 1)
    await page.goto('/login')
    await signInPage(page)
      .wallet(/Plain Wallet/)
      .click()
    for (const step of ['Connecting to wallet', 'Requesting login', 'Requesting wallet signature', 'Signing in']) {
      await expect(signInPage(page).step(step)).toBeVisible()
    }
    await expect(signInPage(page).step('Connecting to wallet')).toContainText('done')
    await expect(signInPage(page).step('Requesting wallet signature')).toContainText('in progress')

    await signInPage(page).anotherWallet.click()
    await signInPage(page)
      .wallet(/Plain Wallet/)
      .click()
    await expectHome(page, member.account.address)
    expect(await readStoredSession(page)).toEqual({ token: expect.any(String), account: member.account.address })
  })

  test('shows the time of the previous login', async ({ page, register, giveWallet }) => {
    const member = await register()
    await giveWallet({ account: member.account })
    await page.goto('/login')
    await signInPage(page)
      .wallet(/Plain Wallet/)
      .click()
    await expectHome(page, member.account.address)
    await expect(page.getByText('Last login')).toBeVisible()
    await expect(page.getByText('First login')).toHaveCount(0)
  })

  test('returns without an error if the wallet refuses, and can be repeated', async ({
    page,
    register,
    giveWallet,
  }) => {
    const member = await register()
    const wallet = await giveWallet({ account: member.account })
    wallet.setMisbehavior('refuses', 'personal_sign', 1)
    await page.goto('/login')
    await signInPage(page)
      .wallet(/Plain Wallet/)
      .click()
    await expect(page.getByRole('button', { name: 'Open Plain Wallet again' })).toBeVisible()
    await expect(page.getByRole('alert')).toHaveCount(0)
    await expect(page.getByText(/failed|error/i)).toHaveCount(0)

    await page.getByRole('button', { name: 'Open Plain Wallet again' }).click()
    await expectHome(page, member.account.address)
    expect(wallet.countRequests('personal_sign')).toBe(2)
  })

  test('returns to the wallet list if the connection is refused', async ({ page, register, giveWallet }) => {
    const member = await register()
    const wallet = await giveWallet({ account: member.account })
    wallet.setMisbehavior('refuses', 'eth_requestAccounts', 1)
    await page.goto('/login')
    await signInPage(page)
      .wallet(/Plain Wallet/)
      .click()
    await expect(signInPage(page).wallet(/Plain Wallet/)).toBeEnabled()
    await expect(page.getByText(/failed|error/i)).toHaveCount(0)
    await signInPage(page)
      .wallet(/Plain Wallet/)
      .click()
    await expectHome(page, member.account.address)
  })

  test('says that a request is already open in the wallet', async ({ page, register, giveWallet }) => {
    const member = await register()
    const wallet = await giveWallet({ account: member.account })
    wallet.setMisbehavior('has-one-pending', 'eth_requestAccounts', 1)
    await page.goto('/login')
    await signInPage(page)
      .wallet(/Plain Wallet/)
      .click()
    await expect(page.getByText(/already (open|waiting)/i).first()).toBeVisible()
    await signInPage(page).tryAgain.click()
    await expectHome(page, member.account.address)
  })

  test('opens the wallet once, even if the button is tapped repeatedly', async ({
    page,
    register,
    giveWallet,
    messages,
  }) => {
    const member = await register()
    const wallet = await giveWallet({ account: member.account })
    wallet.setMisbehavior('hangs', 'eth_requestAccounts')
    await page.goto('/login')
    await signInPage(page)
      .wallet(/Plain Wallet/)
      .dblclick()
    await page.getByRole('button', { name: 'Waiting for Plain Wallet' }).click()
    await expect.poll(() => messages).toContain('Please wait for verification to complete')
    expect(wallet.countRequests('eth_requestAccounts')).toBe(1)
  })

  test('starts again after a reload, and the first attempt has no effect', async ({ page, register, giveWallet }) => {
    const member = await register()
    const wallet = await giveWallet({ account: member.account })
    wallet.setMisbehavior('hangs', 'personal_sign', 1)
    await page.goto('/login')
    await signInPage(page)
      .wallet(/Plain Wallet/)
      .click()
    await expect.poll(() => wallet.countRequests('personal_sign')).toBe(1)
    await page.reload()
    expect(await readStoredSession(page)).toEqual({ token: null, account: null })
    await signInPage(page)
      .wallet(/Plain Wallet/)
      .click()
    await expectHome(page, member.account.address)
  })

  test('cannot be reached with the back button afterwards', async ({ page, register, giveWallet }) => {
    const member = await register()
    await giveWallet({ account: member.account })
    await page.goto('/404')
    await page.goto('/login')
    await signInPage(page)
      .wallet(/Plain Wallet/)
      .click()
    await expectHome(page, member.account.address)
    await page.goBack()
    await expect(page).toHaveURL(/\/404$/)
  })

  test('shows an error when the wallet fails, and can be retried', async ({ page, register, giveWallet }) => {
    const member = await register()
    const wallet = await giveWallet({ account: member.account })
    wallet.setMisbehavior('fails', 'personal_sign', 1)
    await page.goto('/login')
    await signInPage(page)
      .wallet(/Plain Wallet/)
      .click()
    await expect(signInPage(page).step('Login failed')).toBeVisible()
    await signInPage(page).tryAgain.click()
    await expectHome(page, member.account.address)
  })

  test('shows an error when the wallet cannot be connected, and can be retried', async ({
    page,
    register,
    giveWallet,
  }) => {
    const member = await register()
    const wallet = await giveWallet({ account: member.account })
    wallet.setMisbehavior('fails', 'eth_requestAccounts', 1)
    await page.goto('/login')
    await signInPage(page)
      .wallet(/Plain Wallet/)
      .click()
    await expect(signInPage(page).step('Login failed')).toContainText('Failed to connect to wallet')
    await signInPage(page).tryAgain.click()
    await expectHome(page, member.account.address)
  })

  test('signs in no account if the wallet switches accounts meanwhile', async ({ page, register, giveWallet }) => {
    const [member, other] = [await register(), await register()]
    const wallet = await giveWallet({ account: member.account })
    wallet.setMisbehavior('hangs', 'personal_sign', 1)
    await page.goto('/login')
    await signInPage(page)
      .wallet(/Plain Wallet/)
      .click()
    await expect.poll(() => wallet.countRequests('personal_sign')).toBe(1)
    await wallet.switchAccount(other.account)
    await expect(signInPage(page).step('Login failed')).toBeVisible()
    expect((await readStoredSession(page)).token).toBeNull()
    await signInPage(page).tryAgain.click()
    await expectHome(page, other.account.address)
  })

  test('works for a contract wallet', async ({ page, stack, giveWallet, register }) => {
    const owner = newAccount()
    const account = await deployContractWallet(stack, owner.key)
    expect(account.address).not.toBe(owner.address)
    const member = await register({ account })
    const wallet = await giveWallet({ account: member.account })
    await page.goto('/login')
    await signInPage(page)
      .wallet(/Plain Wallet/)
      .click()
    await expectHome(page, account.address)
    expect(wallet.countRequests('personal_sign')).toBe(1)
  })
})

test.describe('before signing in', () => {
  for (const path of ['/login', '/regist'])
    test(`the plan in force can be read on ${path} and closed with the back button`, async ({ page, stack }) => {
      const { version } = await callPublicRoute(stack, 'plan/current')
      await page.goto(path)
      await page.getByRole('button', { name: 'See the plan' }).click()
      const sheet = page.getByRole('dialog', { name: 'Plan' })
      await expect(sheet.getByRole('heading', { name: `Version ${version}` })).toBeVisible()
      await expect(sheet.getByText(/^Nothing here is a promise of return/)).toBeVisible()
      await page.goBack()
      await expect(sheet).toBeHidden()
      await expect(page).toHaveURL(path)
      await page.getByRole('combobox', { name: 'Language' }).selectOption('zh_tw')
      await page.getByRole('button', { name: '查看方案' }).click()
      await expect(page.getByRole('dialog', { name: '方案' })).toBeVisible()
    })
})
