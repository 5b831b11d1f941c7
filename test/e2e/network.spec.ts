import { expectHome, signInPage } from '../browser/sign-in.ts'
import { expect, test } from '../browser/test.ts'

const MAIN_NET = 1

test.describe('a wallet on another network', () => {
  test('is switched with one button', async ({ page, register, giveWallet, stack }) => {
    const member = await register()
    const wallet = await giveWallet({ account: member.account, chainId: MAIN_NET })
    await page.goto('/login')
    await signInPage(page)
      .wallet(/Plain Wallet/)
      .click()
    const button = page.getByRole('button', { name: 'Switch to Lode Test' })
    await expect(button).toBeVisible()
    expect(wallet.countRequests('wallet_switchEthereumChain'), 'nothing is asked before the press').toBe(0)
    await button.click()
    await expectHome(page, member.account.address)
    expect(wallet.countRequests('wallet_switchEthereumChain')).toBe(1)
    expect(wallet.chainId).toBe(stack.chain.chainId)
  })

  test('gets the network added if it does not know it', async ({ page, register, giveWallet, stack }) => {
    const member = await register()
    const wallet = await giveWallet({ account: member.account, chainId: MAIN_NET })
    wallet.knownChains.delete(stack.chain.chainId)
    await page.goto('/login')
    await signInPage(page)
      .wallet(/Plain Wallet/)
      .click()
    await page.getByRole('button', { name: 'Switch to Lode Test' }).click()
    await expectHome(page, member.account.address)
    const [added] = wallet.requests.filter(({ method }) => method === 'wallet_addEthereumChain')
    expect(added?.params[0]).toMatchObject({
      chainId: `0x${stack.chain.chainId.toString(16)}`,
      chainName: 'Lode Test',
      rpcUrls: [stack.chain.rpcUrl],
    })
  })

  test('that refuses to switch is asked again only when the member presses the button', async ({
    page,
    register,
    giveWallet,
  }) => {
    const member = await register()
    const wallet = await giveWallet({ account: member.account, chainId: MAIN_NET })
    wallet.setMisbehavior('refuses', 'wallet_switchEthereumChain', 1)
    await page.goto('/login')
    await signInPage(page)
      .wallet(/Plain Wallet/)
      .click()
    const button = page.getByRole('button', { name: 'Switch to Lode Test' })
    await button.click()
    await expect.poll(() => wallet.countRequests('wallet_switchEthereumChain')).toBe(1)
    await expect(button).toBeEnabled()
    await page.waitForTimeout(1_500)
    expect(wallet.countRequests('wallet_switchEthereumChain')).toBe(1)
    await button.click()
    await expectHome(page, member.account.address)
  })

  test('continues automatically when the member switches in the wallet', async ({
    page,
    register,
    giveWallet,
    stack,
  }) => {
    const member = await register()
    const wallet = await giveWallet({ account: member.account, chainId: MAIN_NET })
    await page.goto('/login')
    await signInPage(page)
      .wallet(/Plain Wallet/)
      .click()
    await expect(page.getByRole('button', { name: 'Switch to Lode Test' })).toBeVisible()
    await wallet.switchChain(stack.chain.chainId)
    await expectHome(page, member.account.address)
    expect(wallet.countRequests('wallet_switchEthereumChain')).toBe(0)
  })

  test('is detected at once when it changes while signing', async ({ page, register, giveWallet }) => {
    const member = await register()
    const wallet = await giveWallet({ account: member.account })
    wallet.setMisbehavior('hangs', 'personal_sign', 1)
    await page.goto('/login')
    await signInPage(page)
      .wallet(/Plain Wallet/)
      .click()
    await expect.poll(() => wallet.countRequests('personal_sign')).toBe(1)
    await wallet.switchChain(MAIN_NET)
    await expect(page.getByRole('button', { name: 'Switch to Lode Test' })).toBeVisible()
  })
})
