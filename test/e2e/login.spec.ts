import { askOpenly } from '../browser/answers.ts'
import { contractWallet } from '../browser/member.ts'
import { expectHome, signIn, storedSession } from '../browser/sign-in.ts'
import { expect, test } from '../browser/test.ts'
import { newAccount } from '../browser/wallet.ts'

test.describe('logging in', () => {
  test('goes step by step to /home', async ({ page, register, giveWallet }) => {
    const member = await register()
    const wallet = await giveWallet({ account: member.account })
    wallet.will('hangs', 'personal_sign', 1)
    await page.goto('/login')
    await signIn(page)
      .wallet(/Plain Wallet/)
      .click()
    for (const step of ['Connecting to wallet', 'Requesting login', 'Requesting wallet signature', 'Logging in']) {
      await expect(signIn(page).step(step)).toBeVisible()
    }
    await expect(signIn(page).step('Connecting to wallet')).toContainText('done')
    await expect(signIn(page).step('Requesting wallet signature')).toContainText('in progress')

    await signIn(page).anotherWallet.click()
    await signIn(page)
      .wallet(/Plain Wallet/)
      .click()
    await expectHome(page, member.account.address)
    expect(await storedSession(page)).toEqual({ token: expect.any(String), account: member.account.address })
  })

  test('shows the time of the login before', async ({ page, register, giveWallet }) => {
    const member = await register()
    await giveWallet({ account: member.account })
    await page.goto('/login')
    await signIn(page)
      .wallet(/Plain Wallet/)
      .click()
    await expectHome(page, member.account.address)
    await expect(page.getByText('Last login')).toBeVisible()
    await expect(page.getByText('First login')).toHaveCount(0)
  })

  test('refused in the wallet returns silently, and the button works again', async ({ page, register, giveWallet }) => {
    const member = await register()
    const wallet = await giveWallet({ account: member.account })
    wallet.will('refuses', 'personal_sign', 1)
    await page.goto('/login')
    await signIn(page)
      .wallet(/Plain Wallet/)
      .click()
    await expect(page.getByRole('button', { name: 'Open Plain Wallet again' })).toBeVisible()
    await expect(page.getByRole('alert')).toHaveCount(0)
    await expect(page.getByText(/failed|error/i)).toHaveCount(0)

    await page.getByRole('button', { name: 'Open Plain Wallet again' }).click()
    await expectHome(page, member.account.address)
    expect(wallet.asked('personal_sign')).toBe(2)
  })

  test('refused at the connection returns to the choice of wallets', async ({ page, register, giveWallet }) => {
    const member = await register()
    const wallet = await giveWallet({ account: member.account })
    wallet.will('refuses', 'eth_requestAccounts', 1)
    await page.goto('/login')
    await signIn(page)
      .wallet(/Plain Wallet/)
      .click()
    await expect(signIn(page).wallet(/Plain Wallet/)).toBeEnabled()
    await expect(page.getByText(/failed|error/i)).toHaveCount(0)
    await signIn(page)
      .wallet(/Plain Wallet/)
      .click()
    await expectHome(page, member.account.address)
  })

  test('says that a request is already open in the wallet', async ({ page, register, giveWallet }) => {
    const member = await register()
    const wallet = await giveWallet({ account: member.account })
    wallet.will('has-one-pending', 'eth_requestAccounts', 1)
    await page.goto('/login')
    await signIn(page)
      .wallet(/Plain Wallet/)
      .click()
    await expect(page.getByText(/already (open|waiting)/i).first()).toBeVisible()
    await signIn(page).tryAgain.click()
    await expectHome(page, member.account.address)
  })

  test('opens the wallet once, however often it is tapped', async ({ page, register, giveWallet }) => {
    const member = await register()
    const wallet = await giveWallet({ account: member.account })
    wallet.will('hangs', 'eth_requestAccounts')
    await page.goto('/login')
    await signIn(page)
      .wallet(/Plain Wallet/)
      .dblclick()
    await page.getByRole('button', { name: 'Waiting for Plain Wallet' }).click()
    await expect(page.getByText('Please wait for verification to complete')).toBeVisible()
    expect(wallet.asked('eth_requestAccounts')).toBe(1)
  })

  test('reloaded in the middle begins again, and nothing of the first try counts', async ({
    page,
    register,
    giveWallet,
  }) => {
    const member = await register()
    const wallet = await giveWallet({ account: member.account })
    wallet.will('hangs', 'personal_sign', 1)
    await page.goto('/login')
    await signIn(page)
      .wallet(/Plain Wallet/)
      .click()
    await expect.poll(() => wallet.asked('personal_sign')).toBe(1)
    await page.reload()
    expect(await storedSession(page)).toEqual({ token: null, account: null })
    await signIn(page)
      .wallet(/Plain Wallet/)
      .click()
    await expectHome(page, member.account.address)
  })

  test('is not shown again by the back button', async ({ page, register, giveWallet }) => {
    const member = await register()
    await giveWallet({ account: member.account })
    await page.goto('/404')
    await page.goto('/login')
    await signIn(page)
      .wallet(/Plain Wallet/)
      .click()
    await expectHome(page, member.account.address)
    await page.goBack()
    await expect(page).toHaveURL(/\/404$/)
  })

  test('fails with words when the wallet breaks, and can be tried again', async ({ page, register, giveWallet }) => {
    const member = await register()
    const wallet = await giveWallet({ account: member.account })
    wallet.will('fails', 'personal_sign', 1)
    await page.goto('/login')
    await signIn(page)
      .wallet(/Plain Wallet/)
      .click()
    await expect(signIn(page).step('Login failed')).toBeVisible()
    await signIn(page).tryAgain.click()
    await expectHome(page, member.account.address)
  })

  test('says when the wallet cannot be connected to, and can be tried again', async ({
    page,
    register,
    giveWallet,
  }) => {
    const member = await register()
    const wallet = await giveWallet({ account: member.account })
    wallet.will('fails', 'eth_requestAccounts', 1)
    await page.goto('/login')
    await signIn(page)
      .wallet(/Plain Wallet/)
      .click()
    await expect(signIn(page).step('Login failed')).toContainText('Failed to connect to wallet')
    await signIn(page).tryAgain.click()
    await expectHome(page, member.account.address)
  })

  test('with the account changed in the wallet meanwhile does not sign in either of them', async ({
    page,
    register,
    giveWallet,
  }) => {
    const [member, other] = [await register(), await register()]
    const wallet = await giveWallet({ account: member.account })
    wallet.will('hangs', 'personal_sign', 1)
    await page.goto('/login')
    await signIn(page)
      .wallet(/Plain Wallet/)
      .click()
    await expect.poll(() => wallet.asked('personal_sign')).toBe(1)
    await wallet.switchAccount(other.account)
    await expect(signIn(page).step('Login failed')).toBeVisible()
    expect((await storedSession(page)).token).toBeNull()
    await signIn(page).tryAgain.click()
    await expectHome(page, other.account.address)
  })

  test('works for a wallet that is a contract', async ({ page, stack, giveWallet, register }) => {
    const owner = newAccount()
    const account = await contractWallet(stack, owner.key)
    expect(account.address).not.toBe(owner.address)
    const member = await register({ account })
    const wallet = await giveWallet({ account: member.account })
    await page.goto('/login')
    await signIn(page)
      .wallet(/Plain Wallet/)
      .click()
    await expectHome(page, account.address)
    expect(wallet.asked('personal_sign')).toBe(1)
  })
})

test.describe('before signing in', () => {
  for (const path of ['/login', '/regist'])
    test(`the plan in force can be read on ${path}, and back leads out of it`, async ({ page, stack }) => {
      const { version } = await askOpenly(stack, 'plan/current')
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
