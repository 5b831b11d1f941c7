import { injectWallets } from '../browser/injected-wallets.ts'
import { expectHome, signInPage } from '../browser/sign-in.ts'
import { expect, test } from '../browser/test.ts'

const brands = [
  { brand: 'onekey', name: /OneKey/ },
  { brand: 'trust', name: /Trust Wallet/ },
  { brand: 'bitkeep', name: /Bitget Wallet/ },
  { brand: 'generic', name: /Plain Wallet|Browser wallet/ },
] as const

test.describe('without a wallet', () => {
  test('a pink toast says so, and a sheet explains what to do', async ({ page }) => {
    await page.goto('/login')
    await page.getByRole('button', { name: 'Connect wallet' }).click()
    const toast = page.getByText('Non-Ethereum browser detected!')
    const sheet = page.getByRole('dialog', { name: 'No wallet in this browser' })
    await expect(toast).toBeVisible()
    await expect(sheet).toBeVisible()
    await expect(toast).toHaveCSS('background-color', 'rgb(249, 198, 215)')
    await sheet.getByRole('button', { name: 'Close' }).click()
    await expect(toast).toBeHidden()
    await expect(sheet).toBeHidden()
    await expect(page.getByRole('button', { name: 'Connect wallet' })).toBeEnabled()
  })

  test('the toast closes after a minute, and the sheet stays open', async ({ page }) => {
    await page.clock.install()
    await page.goto('/login')
    await page.clock.runFor(2_000)
    await page.getByRole('button', { name: 'Connect wallet' }).click()
    const toast = page.getByText('Non-Ethereum browser detected!')
    await expect(toast).toBeVisible()
    await page.clock.runFor(55_000)
    await expect(toast).toBeVisible()
    await page.clock.runFor(5_000)
    await expect(toast).toBeHidden()
    const sheet = page.getByRole('dialog', { name: 'No wallet in this browser' })
    await expect(sheet).toBeVisible()
    await page.mouse.click(195, 20)
    await page.clock.runFor(1_000)
    await expect(sheet).toBeHidden()
  })

  test('the link to the current page can be copied into a wallet’s browser', async ({ page, context, stack }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.goto(`/regist?invite=${stack.rootCode}`)
    await page.getByRole('button', { name: 'Connect wallet' }).click()
    const sheet = page.getByRole('dialog', { name: 'No wallet in this browser' })
    await sheet.getByRole('button', { name: /copy/i }).click()
    await expect
      .poll(() => page.evaluate(() => navigator.clipboard.readText()))
      .toBe(`${stack.origin}/regist?invite=${stack.rootCode}`)
  })

  test('a wallet that is installed meanwhile is found on retry', async ({ page, register, giveWallet }) => {
    const member = await register()
    await page.goto('/login')
    await page.getByRole('button', { name: 'Connect wallet' }).click()
    const sheet = page.getByRole('dialog', { name: 'No wallet in this browser' })
    await expect(sheet).toBeVisible()
    // It does not announce itself, so the page finds it only if it looks again.
    const wallet = await giveWallet({ account: member.account, announced: false })
    await page.evaluate(injectWallets, [wallet.injection])
    await sheet.getByRole('button', { name: 'Check again' }).click()
    await signInPage(page)
      .wallet(/Browser wallet/)
      .click()
    await expectHome(page, member.account.address)
  })
})

test.describe('a single wallet', () => {
  for (const { brand, name } of brands) {
    for (const way of ['announced', 'injected'] as const) {
      test(`${brand}, ${way}, signs in`, async ({ page, register, giveWallet }) => {
        const member = await register()
        const wallet = await giveWallet({
          brand,
          account: member.account,
          announced: way === 'announced',
          injected: way === 'injected',
        })
        await page.goto('/login')
        await expect(signInPage(page).wallet(name)).toHaveCount(1)
        await signInPage(page).wallet(name).click()
        await expectHome(page, member.account.address)
        expect(wallet.prompts).toEqual(['eth_requestAccounts', 'personal_sign'])
      })
    }
  }

  test('that is both announced and injected is listed once', async ({ page, giveWallet }) => {
    await giveWallet({ brand: 'onekey' })
    await page.goto('/login')
    await expect(signInPage(page).wallet(/OneKey/)).toHaveCount(1)
  })

  test('that is injected late is still found', async ({ page, register, giveWallet }) => {
    const member = await register()
    await giveWallet({ brand: 'trust', account: member.account, announced: false, afterMs: 600 })
    await page.goto('/login')
    await signInPage(page)
      .wallet(/Trust Wallet/)
      .click()
    await expectHome(page, member.account.address)
  })

  test('is listed even if another wallet announces invalid data', async ({ page, context, giveWallet }) => {
    await context.addInitScript(() => {
      const announce = () => {
        for (const detail of [null, 1, {}, { info: { name: 'x', rdns: 7 } }, { info: null, provider: {} }]) {
          window.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail }))
        }
      }
      window.addEventListener('eip6963:requestProvider', announce)
      announce()
    })
    await giveWallet({ brand: 'onekey', injected: false })
    await page.goto('/login')
    await expect(signInPage(page).wallet(/OneKey/)).toBeVisible()
  })
})

test.describe('four wallets together', () => {
  for (const [place, { brand, name }] of brands.entries()) {
    test(`${brand} can be chosen, and no other wallet is asked`, async ({ page, register, giveWallets }) => {
      const member = await register()
      const wallets = await giveWallets(brands.map((each) => ({ brand: each.brand, account: member.account })))
      await page.goto('/login')
      for (const each of brands) await expect(signInPage(page).wallet(each.name)).toHaveCount(1)
      await signInPage(page).wallet(name).click()
      await expectHome(page, member.account.address)
      for (const [index, wallet] of wallets.entries()) {
        expect(wallet.prompts).toEqual(index === place ? ['eth_requestAccounts', 'personal_sign'] : [])
      }
    })
  }

  test('are listed in the order OneKey, Trust, BitKeep, others', async ({ page, giveWallets }) => {
    await giveWallets(brands.toReversed().map(({ brand }) => ({ brand })))
    await page.goto('/login')
    const names = page.getByRole('button', { name: /OneKey|Trust|Bitget|Plain/ })
    await expect(names).toHaveCount(4)
    const texts = await names.allTextContents()
    const order = texts.map((text) => brands.findIndex(({ name }) => name.test(text)))
    expect(order).toEqual([0, 1, 2, 3])
  })
})
