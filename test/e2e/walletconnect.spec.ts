import type { Page } from '@playwright/test'
import { decodeQR } from 'qr/decode.js'
import { giveCoins, LONG_TIMEOUT, makeFinal } from '../browser/chain.ts'
import { depositPage, fillDepositForm } from '../browser/deposit.ts'
import { moneyRequests } from '../browser/money-requests.ts'
import { orderOnline, promotionPage } from '../browser/promotion.ts'
import { expectHome, readStoredSession, signInPage } from '../browser/sign-in.ts'
import { expect, type RemoteWallet, test } from '../walletconnect/test.ts'

test.describe.configure({ mode: 'default' })

const pairingSheet = (page: Page) => page.getByRole('dialog', { name: 'Connect by WalletConnect' })

/** Chooses WalletConnect on the sign-in page of a browser without a wallet. */
async function chooseWalletConnect(page: Page): Promise<void> {
  await page.goto('/login')
  await page.getByRole('button', { name: 'Connect wallet' }).click()
  await page.getByRole('button', { name: 'Continue with WalletConnect' }).click()
}

/** Reads the code from the picture, as a phone's camera does. */
async function readCode(page: Page): Promise<string> {
  const code = pairingSheet(page).getByRole('img', { name: 'QR code that connects your wallet' })
  await expect(code).toBeVisible(LONG_TIMEOUT)
  const png = (await code.screenshot()).toString('base64')
  const { width, height, data } = await page.evaluate(async (base64) => {
    const picture = new Image()
    picture.src = `data:image/png;base64,${base64}`
    await picture.decode()
    const canvas = document.createElement('canvas')
    canvas.width = picture.width
    canvas.height = picture.height
    const drawing = canvas.getContext('2d') as CanvasRenderingContext2D
    drawing.drawImage(picture, 0, 0)
    const pixels = drawing.getImageData(0, 0, canvas.width, canvas.height)
    return { width: canvas.width, height: canvas.height, data: Array.from(pixels.data) }
  }, png)
  return decodeQR({ width, height, data: Uint8Array.from(data) })
}

async function signIn(page: Page, remote: RemoteWallet): Promise<void> {
  await chooseWalletConnect(page)
  await remote.scan(await readCode(page))
  await expectHome(page, remote.wallet.address)
}

test('a wallet on another device signs in, and after a reload refuses, deposits and pays an order', async ({
  page,
  stack,
  register,
  takeWallet,
}) => {
  const member = await register()
  const remote = await takeWallet(member.account)
  const { wallet } = remote
  await giveCoins(stack, wallet.address, { USDT: '500' })
  await signIn(page, remote)
  expect(wallet.prompts).toEqual(['personal_sign'])

  await page.reload()
  await fillDepositForm(page, 'USDT', '100')
  const deposit = depositPage(page)
  wallet.setMisbehavior('refuses', 'eth_sendTransaction', 1)
  await deposit.submit.click()
  await expect.poll(() => wallet.countRequests('eth_sendTransaction')).toBe(1)
  await expect(deposit.amount).toHaveValue('100')
  await deposit.submit.click()
  await expect(deposit.status('In a block').or(deposit.status('Confirming'))).toBeVisible(LONG_TIMEOUT)
  await makeFinal(stack)
  await expect(deposit.status('Credited')).toBeVisible(LONG_TIMEOUT)

  await page.reload()
  await orderOnline(page)
  const { pay, order, status } = promotionPage(page)
  await pay.click()
  await expect(status(/^(In a block|Confirming)$/)).toBeVisible(LONG_TIMEOUT)
  await makeFinal(stack)
  await expect(order).toContainText('You are now L1', LONG_TIMEOUT)
  expect(moneyRequests(stack, wallet).slice(1)).toEqual([
    'approve 100 USDT',
    'deposit 100 USDT',
    'approve 100 USDT',
    'pay 100 USDT',
  ])
})

test('a refused connection returns to the choice of wallets, and so does a closed sheet', async ({
  page,
  register,
  takeWallet,
}) => {
  const remote = await takeWallet((await register()).account)
  await chooseWalletConnect(page)
  await remote.scan(await readCode(page), 'refuse')
  await expect(pairingSheet(page)).toBeHidden(LONG_TIMEOUT)
  await expect(page.getByRole('button', { name: 'Connect wallet' })).toBeVisible()

  await chooseWalletConnect(page)
  await readCode(page)
  await pairingSheet(page).getByRole('button', { name: 'Close' }).click()
  await expect(page.getByRole('button', { name: 'Connect wallet' })).toBeVisible()
  expect((await readStoredSession(page)).token).toBeNull()
})

test('a payment waits while the relay is away, and continues when the relay returns', async ({
  page,
  stack,
  relay,
  register,
  takeWallet,
}) => {
  const remote = await takeWallet((await register()).account)
  await giveCoins(stack, remote.wallet.address, { USDT: '500' })
  await signIn(page, remote)
  await fillDepositForm(page, 'USDT', '70')
  await relay.goAway()
  const deposit = depositPage(page)
  await deposit.submit.click()
  await expect(deposit.step('Approve')).toBeVisible()
  expect(moneyRequests(stack, remote.wallet)).toEqual([])
  await relay.comeBack()
  await expect(deposit.status('In a block').or(deposit.status('Confirming'))).toBeVisible({ timeout: 40_000 })
  await makeFinal(stack)
  await expect(deposit.status('Credited')).toBeVisible(LONG_TIMEOUT)
  expect(moneyRequests(stack, remote.wallet)).toEqual(['approve 70 USDT', 'deposit 70 USDT'])
})

test('a relay that cannot be reached is reported, and the member can try again', async ({
  page,
  relay,
  register,
  takeWallet,
}) => {
  const remote = await takeWallet((await register()).account)
  await relay.goAway()
  await chooseWalletConnect(page)
  await expect(pairingSheet(page).getByRole('alert')).toContainText('WalletConnect does not answer', {
    timeout: 30_000,
  })
  await relay.comeBack()
  await pairingSheet(page).getByRole('button', { name: 'Try again' }).click()
  await remote.scan(await readCode(page))
  await expectHome(page, remote.wallet.address)
})

test('the app notices another account and an ended connection, also after a reload', async ({
  page,
  register,
  takeWallet,
  expectedErrors,
}) => {
  // The library throws this to nobody if it answers the relay about a session that has just ended.
  expectedErrors.push(/Record was recently deleted - session/)
  const [member, other] = [await register(), await register()]
  const remote = await takeWallet(member.account)
  await signIn(page, remote)
  await page.reload()
  await expectHome(page, member.account.address)
  const changed = page.getByRole('dialog', { name: 'Your wallet switched accounts' })
  // The library drops what arrives after it has connected and before it listens, so the wallet may have to say it again.
  await expect(async () => {
    await remote.switchAccount(other.account)
    await expect(changed).toBeVisible({ timeout: 5_000 })
  }).toPass({ timeout: 60_000 })
  await remote.switchAccount(member.account)
  await expect(changed).toBeHidden(LONG_TIMEOUT)

  await remote.disconnect()
  const ended = page.getByRole('dialog', { name: 'Your wallet has disconnected' })
  await expect(ended).toBeVisible(LONG_TIMEOUT)
  await ended.getByRole('button', { name: 'Connect again' }).click()
  await remote.scan(await readCode(page))
  await expect(pairingSheet(page)).toBeHidden(LONG_TIMEOUT)
  await expect(page.getByRole('button', { name: 'Wallet disconnected' })).toBeHidden()
})

test('after the wallet has disconnected, the member logs out and connects it again', async ({
  page,
  register,
  takeWallet,
}) => {
  const remote = await takeWallet((await register()).account)
  await signIn(page, remote)
  await remote.disconnect()
  const ended = page.getByRole('dialog', { name: 'Your wallet has disconnected' })
  await ended.getByRole('button', { name: 'Log out' }).click(LONG_TIMEOUT)
  await expect(page).toHaveURL(/\/login/)
  await signInPage(page).wallet('Continue with WalletConnect').click()
  await remote.scan(await readCode(page))
  await expectHome(page, remote.wallet.address)
})

test.describe('on a phone', () => {
  test.use({
    userAgent: 'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 Chrome/140.0 Mobile Safari/537.36',
  })

  test('the sheet opens a wallet app on the same phone', async ({ page, register, takeWallet }) => {
    const remote = await takeWallet((await register()).account)
    await chooseWalletConnect(page)
    const link = pairingSheet(page).getByRole('link', { name: 'Open in OneKey' })
    await expect(link).toBeVisible(LONG_TIMEOUT)
    const uri = new URL((await link.getAttribute('href')) ?? '').searchParams.get('uri') ?? ''
    await remote.scan(uri)
    await expectHome(page, remote.wallet.address)
  })
})
