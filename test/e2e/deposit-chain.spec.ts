import { poolVaultAbi } from '@lode/contracts'
import { developmentKeys } from '@lode/contracts/dev/deploy'
import { createWalletClient, http, toHex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { foundry } from 'viem/chains'
import { callNode, giveCoins, LONG_TIMEOUT, makeFinal } from '../browser/chain.ts'
import { depositPage, fillDepositForm, readStoredPayments } from '../browser/deposit.ts'
import { moneyRequests } from '../browser/money-requests.ts'
import { expect, test } from '../browser/own-stack.ts'
import type { BrowserStack } from '../browser/stack.ts'

test.afterEach(async ({ stack }) => void (await callNode(stack, 'evm_setAutomine', [true])))

test('a deposit that reverts on the chain fails, and the app says where the money is', async ({
  page,
  stack,
  enterWith,
}) => {
  const { wallet } = await enterWith({ BTN: '50' })
  wallet.beforeSending = () => giveCoins(stack, wallet.address, { BTN: '0' })
  await fillDepositForm(page, 'BTN', '5')
  await depositPage(page).submit.click()
  await expect(depositPage(page).status('Failed')).toBeVisible(LONG_TIMEOUT)
  await expect(depositPage(page).sheet).toContainText('5 BTN stayed in your wallet')
  await expect(depositPage(page).sheet.getByRole('link', { name: /on the explorer/ })).toHaveAttribute(
    'href',
    `https://explorer.example/tx/${wallet.lastTransaction.hash}`,
  )
  wallet.beforeSending = async () => {}
  await giveCoins(stack, wallet.address, { BTN: '50' })
  await depositPage(page).tryAgain.click()
  await expect(depositPage(page).amount).toHaveValue('5')
  await expect(depositPage(page).tray).toBeHidden()
})

test('a transaction hash that does not exist is not accepted, and the wallet can be asked again', async ({
  page,
  stack,
  enterWith,
}) => {
  const { wallet } = await enterWith({ BTN: '50' })
  wallet.setMisbehavior('lies', 'eth_sendTransaction', 1)
  await page.clock.install()
  await fillDepositForm(page, 'BTN', '5')
  await depositPage(page).submit.click()
  await expect(depositPage(page).status('Sent')).toBeVisible()
  await page.clock.fastForward('00:20')
  await expect(depositPage(page).status('Not confirmed yet')).toBeVisible(LONG_TIMEOUT)
  await expect(depositPage(page).sheet).toContainText('the network does not know it')
  await expect(depositPage(page).stopPayment).toBeHidden()

  await depositPage(page).askAgain.click()
  await expect(depositPage(page).sheet.getByText(/^(In a block|Confirming)$/)).toBeVisible(LONG_TIMEOUT)
  await makeFinal(stack)
  await expect(depositPage(page).status('Credited')).toBeVisible(LONG_TIMEOUT)
  expect(moneyRequests(stack, wallet)).toEqual([
    'permit 5 BTN',
    'depositWithPermit 5 BTN',
    'permit 5 BTN',
    'depositWithPermit 5 BTN',
  ])
})

test('a deposit stays unknown, never failed, while the node is unreachable', async ({
  page,
  stack,
  owned,
  enterWith,
}) => {
  const { wallet } = await enterWith({ BTN: '50' })
  await callNode(stack, 'evm_setAutomine', [false])
  await fillDepositForm(page, 'BTN', '5')
  await depositPage(page).submit.click()
  await expect(depositPage(page).status('Sent')).toBeVisible(LONG_TIMEOUT)
  await owned.nodeProxy.close()
  await expect(depositPage(page).status('Not confirmed yet')).toBeVisible(LONG_TIMEOUT)
  await expect(depositPage(page).sheet).toContainText('we can’t reach the network')
  await expect(depositPage(page).askAgain).toBeHidden()
  await page.reload()
  await expect(depositPage(page).tray).toContainText('Not confirmed yet')

  await owned.nodeProxy.reopen()
  await expect(depositPage(page).tray).toContainText('Sent', LONG_TIMEOUT)
  await callNode(stack, 'anvil_mine', [toHex(1)])
  await expect(depositPage(page).tray).toContainText(/In a block|Confirming/, LONG_TIMEOUT)
  await makeFinal(stack)
  await expect(depositPage(page).tray).toContainText('Credited', LONG_TIMEOUT)
  expect(moneyRequests(stack, wallet)).toHaveLength(2)
})

test('an unreachable node is reported before the wallet is asked', async ({ page, stack, owned, enterWith }) => {
  const { wallet } = await enterWith({ BTN: '50' })
  await fillDepositForm(page, 'BTN', '5')
  await owned.nodeProxy.close()
  await depositPage(page).submit.click()
  await expect(depositPage(page).sheet).toContainText('Your wallet’s network does not answer', LONG_TIMEOUT)
  await owned.nodeProxy.reopen()
  await depositPage(page).tryAgain.click()
  await expect(depositPage(page).submit).toHaveText('Deposit 5 BTN')
  expect(moneyRequests(stack, wallet)).toEqual([])
})

test('a reorganization sets a confirming deposit back to sent, and it is credited from its new block', async ({
  page,
  stack,
  enterWith,
}) => {
  const { wallet } = await enterWith({ BTN: '50' })
  await fillDepositForm(page, 'BTN', '5')
  await depositPage(page).submit.click()
  await expect(depositPage(page).status('Confirming')).toBeVisible(LONG_TIMEOUT)
  await expect(depositPage(page).step('Final on the chain')).toContainText('Detected; usually final in about')
  const { transactions } = wallet

  await callNode(stack, 'anvil_reorg', [1, []])
  await expect(depositPage(page).status('Sent').or(depositPage(page).status('Not confirmed yet'))).toBeVisible(
    LONG_TIMEOUT,
  )
  await callNode(stack, 'anvil_mine', [toHex(4)])
  await expect(depositPage(page).status('Credited')).toBeHidden()
  expect(await readStoredPayments(page)).toMatchObject([{ sent: [{ hash: wallet.lastTransaction.hash }] }])

  await wallet.broadcast()
  await expect(depositPage(page).sheet.getByText(/^(In a block|Confirming)$/)).toBeVisible(LONG_TIMEOUT)
  await makeFinal(stack)
  await expect(depositPage(page).status('Credited')).toBeVisible(LONG_TIMEOUT)
  expect(transactions).toHaveLength(1)
})

test.describe('a transaction that the wallet replaced', () => {
  test('by the same call with a higher fee is followed until it is credited', async ({ page, stack, enterWith }) => {
    const { wallet } = await enterWith({ BTN: '50' })
    await waitInPool(page, stack, '5')
    const first = wallet.lastTransaction
    const second = await wallet.replace(first, 'speed-up')
    await callNode(stack, 'anvil_mine', [toHex(1)])
    await expect(depositPage(page).sheet.getByText(/^(In a block|Confirming)$/)).toBeVisible(LONG_TIMEOUT)
    await makeFinal(stack)
    await expect(depositPage(page).status('Credited')).toBeVisible(LONG_TIMEOUT)
    expect(await readStoredPayments(page)).toMatchObject([{ sent: [{ hash: first.hash }, { hash: second.hash }] }])
    expect(moneyRequests(stack, wallet)).toHaveLength(2)
  })

  test('by a cancellation counts as failed, and the replacement is shown', async ({ page, stack, enterWith }) => {
    const { wallet } = await enterWith({ BTN: '50' })
    await waitInPool(page, stack, '5')
    const cancellation = await wallet.replace(wallet.lastTransaction, 'cancel')
    await callNode(stack, 'anvil_mine', [toHex(1)])
    await expect(depositPage(page).status('Failed')).toBeVisible(LONG_TIMEOUT)
    await expect(depositPage(page).sheet).toContainText('Your wallet replaced this payment with another transaction')
    await expect(depositPage(page).sheet.getByRole('link').last()).toHaveAttribute(
      'href',
      `https://explorer.example/tx/${cancellation.hash}`,
    )
  })
})

test('a transaction that the network dropped is not called failed, and a retry pays once', async ({
  page,
  stack,
  enterWith,
}) => {
  const { wallet } = await enterWith({ BTN: '50' })
  await page.clock.install()
  await waitInPool(page, stack, '5')
  const dropped = wallet.lastTransaction
  await callNode(stack, 'anvil_dropTransaction', [dropped.hash])
  await page.clock.fastForward('00:20')
  await expect(depositPage(page).status('Not confirmed yet')).toBeVisible(LONG_TIMEOUT)
  await callNode(stack, 'evm_setAutomine', [true])
  await depositPage(page).askAgain.click()
  await expect(depositPage(page).sheet.getByText(/^(In a block|Confirming)$/)).toBeVisible(LONG_TIMEOUT)
  await expect(wallet.broadcast(dropped), 'its place is taken').rejects.toThrow(/nonce/i)
  await makeFinal(stack)
  await expect(depositPage(page).status('Credited')).toBeVisible(LONG_TIMEOUT)
  expect(wallet.lastTransaction.nonce).toBe(dropped.nonce)
})

test('a paused vault is reported before the wallet opens', async ({ page, stack, enterWith }) => {
  const { wallet } = await enterWith({ USDT: '50' })
  await vaultCall(stack, 'pause')
  await fillDepositForm(page, 'USDT', '5')
  await depositPage(page).submit.click()
  await expect(depositPage(page).sheet).toContainText('The vault is not taking payments right now')
  await vaultCall(stack, 'unpause')
  expect(moneyRequests(stack, wallet)).toEqual([])
  expect(await readStoredPayments(page)).toEqual([])
})

/** Sends a deposit that the network knows and that is in no block. */
async function waitInPool(page: Parameters<typeof depositPage>[0], stack: BrowserStack, amount: string): Promise<void> {
  await callNode(stack, 'evm_setAutomine', [false])
  await fillDepositForm(page, 'BTN', amount)
  await depositPage(page).submit.click()
  await expect(depositPage(page).status('Sent')).toBeVisible(LONG_TIMEOUT)
  // The app knows the nonce only once the network has shown the transaction.
  await expect
    .poll(() => readStoredPayments(page), LONG_TIMEOUT)
    .toMatchObject([{ sent: [{ nonce: expect.any(Number) }] }])
}

async function vaultCall(stack: BrowserStack, functionName: 'pause' | 'unpause'): Promise<void> {
  const account = privateKeyToAccount(developmentKeys().guardian)
  const client = createWalletClient({ account, chain: foundry, transport: http(stack.chain.rpcUrl) })
  await client.writeContract({ address: stack.contracts.vault, abi: poolVaultAbi, functionName })
}
