import { poolVaultAbi } from '@lode/contracts'
import { developmentKeys } from '@lode/contracts/dev/deploy'
import { createWalletClient, http, toHex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { foundry } from 'viem/chains'
import { ask, giveCoins, makeFinal } from '../browser/coins.ts'
import { deposit, fillIn, storedPayments } from '../browser/deposit.ts'
import { moneyRequests } from '../browser/money-requests.ts'
import { expect, test } from '../browser/own-stack.ts'
import type { BrowserStack } from '../browser/stack.ts'

const PATIENT = { timeout: 15_000 }

test.afterEach(async ({ stack }) => void (await ask(stack, 'evm_setAutomine', [true])))

test('a wallet that says “sent” for what the chain reverts ends in a failure that says where the money is', async ({
  page,
  stack,
  enterWith,
}) => {
  const { wallet } = await enterWith({ BTN: '50' })
  wallet.beforeSending = () => giveCoins(stack, wallet.address, { BTN: '0' })
  await fillIn(page, 'BTN', '5')
  await deposit(page).submit.click()
  await expect(deposit(page).status('Failed')).toBeVisible(PATIENT)
  await expect(deposit(page).sheet).toContainText('5 BTN did not leave your wallet')
  await expect(deposit(page).sheet.getByRole('link', { name: /on the explorer/ })).toHaveAttribute(
    'href',
    `https://explorer.example/tx/${wallet.last.hash}`,
  )
  wallet.beforeSending = async () => {}
  await giveCoins(stack, wallet.address, { BTN: '50' })
  await deposit(page).tryAgain.click()
  await expect(deposit(page).amount).toHaveValue('5')
  await expect(deposit(page).tray).toBeHidden()
})

test('a wallet that names a transaction that never was is not believed, and may be asked again', async ({
  page,
  stack,
  enterWith,
}) => {
  const { wallet } = await enterWith({ BTN: '50' })
  wallet.will('lies', 'eth_sendTransaction', 1)
  await page.clock.install()
  await fillIn(page, 'BTN', '5')
  await deposit(page).submit.click()
  await expect(deposit(page).status('Sent')).toBeVisible()
  await page.clock.fastForward('00:20')
  await expect(deposit(page).status('Not known yet')).toBeVisible(PATIENT)
  await expect(deposit(page).sheet).toContainText('the network does not know it')
  await expect(deposit(page).leave).toBeHidden()

  await deposit(page).askAgain.click()
  await expect(deposit(page).sheet.getByText(/^(In a block|Confirming)$/)).toBeVisible(PATIENT)
  await makeFinal(stack)
  await expect(deposit(page).status('Credited')).toBeVisible(PATIENT)
  expect(moneyRequests(stack, wallet)).toEqual([
    'permit 5 BTN',
    'depositWithPermit 5 BTN',
    'permit 5 BTN',
    'depositWithPermit 5 BTN',
  ])
})

test('a node that is cut off in mid-deposit leaves it unknown, never failed, until the node is back', async ({
  page,
  stack,
  owned,
  enterWith,
}) => {
  const { wallet } = await enterWith({ BTN: '50' })
  await ask(stack, 'evm_setAutomine', [false])
  await fillIn(page, 'BTN', '5')
  await deposit(page).submit.click()
  await expect(deposit(page).status('Sent')).toBeVisible(PATIENT)
  await owned.gate.close()
  await expect(deposit(page).status('Not known yet')).toBeVisible(PATIENT)
  await expect(deposit(page).sheet).toContainText('your wallet cannot reach the network now')
  await expect(deposit(page).askAgain).toBeHidden()
  await page.reload()
  await expect(deposit(page).tray).toContainText('Not known yet')

  await owned.gate.reopen()
  await expect(deposit(page).tray).toContainText('Sent', PATIENT)
  await ask(stack, 'anvil_mine', [toHex(1)])
  await expect(deposit(page).tray).toContainText(/In a block|Confirming/, PATIENT)
  await makeFinal(stack)
  await expect(deposit(page).tray).toContainText('Credited', PATIENT)
  expect(moneyRequests(stack, wallet)).toHaveLength(2)
})

test('a node that is cut off before the wallet was asked is said, and the wallet is not', async ({
  page,
  stack,
  owned,
  enterWith,
}) => {
  const { wallet } = await enterWith({ BTN: '50' })
  await fillIn(page, 'BTN', '5')
  await owned.gate.close()
  await deposit(page).submit.click()
  await expect(deposit(page).sheet).toContainText('Your wallet’s network does not answer', PATIENT)
  await owned.gate.reopen()
  await deposit(page).tryAgain.click()
  await expect(deposit(page).submit).toHaveText('Deposit 5 BTN')
  expect(moneyRequests(stack, wallet)).toEqual([])
})

test('a reorganisation while it is confirming takes it back to sent, and it is credited where it ends up', async ({
  page,
  stack,
  enterWith,
}) => {
  const { wallet } = await enterWith({ BTN: '50' })
  await fillIn(page, 'BTN', '5')
  await deposit(page).submit.click()
  await expect(deposit(page).status('Confirming')).toBeVisible(PATIENT)
  await expect(deposit(page).step('Final on the chain')).toContainText('Seen; usually final in about')
  const { transactions } = wallet

  await ask(stack, 'anvil_reorg', [1, []])
  await expect(deposit(page).status('Sent').or(deposit(page).status('Not known yet'))).toBeVisible(PATIENT)
  await ask(stack, 'anvil_mine', [toHex(4)])
  await expect(deposit(page).status('Credited')).toBeHidden()
  expect(await storedPayments(page)).toMatchObject([{ sent: [{ hash: wallet.last.hash }] }])

  await wallet.letGo()
  await expect(deposit(page).sheet.getByText(/^(In a block|Confirming)$/)).toBeVisible(PATIENT)
  await makeFinal(stack)
  await expect(deposit(page).status('Credited')).toBeVisible(PATIENT)
  expect(transactions).toHaveLength(1)
})

test.describe('a transaction that the wallet replaced', () => {
  test('by the same call for a higher fee is followed to the credit', async ({ page, stack, enterWith }) => {
    const { wallet } = await enterWith({ BTN: '50' })
    await waitInPool(page, stack, '5')
    const first = wallet.last
    const second = await wallet.replace(first, 'speed-up')
    await ask(stack, 'anvil_mine', [toHex(1)])
    await expect(deposit(page).sheet.getByText(/^(In a block|Confirming)$/)).toBeVisible(PATIENT)
    await makeFinal(stack)
    await expect(deposit(page).status('Credited')).toBeVisible(PATIENT)
    expect(await storedPayments(page)).toMatchObject([{ sent: [{ hash: first.hash }, { hash: second.hash }] }])
    expect(moneyRequests(stack, wallet)).toHaveLength(2)
  })

  test('by a cancellation has failed, and the one in its place is named', async ({ page, stack, enterWith }) => {
    const { wallet } = await enterWith({ BTN: '50' })
    await waitInPool(page, stack, '5')
    const cancellation = await wallet.replace(wallet.last, 'cancel')
    await ask(stack, 'anvil_mine', [toHex(1)])
    await expect(deposit(page).status('Failed')).toBeVisible(PATIENT)
    await expect(deposit(page).sheet).toContainText('Your wallet replaced this payment with another transaction')
    await expect(deposit(page).sheet.getByRole('link').last()).toHaveAttribute(
      'href',
      `https://explorer.example/tx/${cancellation.hash}`,
    )
  })
})

test('a transaction that the network dropped is not called failed; asked again, it is paid once', async ({
  page,
  stack,
  enterWith,
}) => {
  const { wallet } = await enterWith({ BTN: '50' })
  await page.clock.install()
  await waitInPool(page, stack, '5')
  const dropped = wallet.last
  await ask(stack, 'anvil_dropTransaction', [dropped.hash])
  await page.clock.fastForward('00:20')
  await expect(deposit(page).status('Not known yet')).toBeVisible(PATIENT)
  await ask(stack, 'evm_setAutomine', [true])
  await deposit(page).askAgain.click()
  await expect(deposit(page).sheet.getByText(/^(In a block|Confirming)$/)).toBeVisible(PATIENT)
  await expect(wallet.letGo(dropped), 'its place is taken').rejects.toThrow(/nonce/i)
  await makeFinal(stack)
  await expect(deposit(page).status('Credited')).toBeVisible(PATIENT)
  expect(wallet.last.nonce).toBe(dropped.nonce)
})

test('a vault that is paused is told before the wallet opens', async ({ page, stack, enterWith }) => {
  const { wallet } = await enterWith({ USDT: '50' })
  await vaultCall(stack, 'guardian', 'pause')
  await fillIn(page, 'USDT', '5')
  await deposit(page).submit.click()
  await expect(deposit(page).sheet).toContainText('The vault takes no payments at the moment')
  await vaultCall(stack, 'administrator', 'unpause')
  expect(moneyRequests(stack, wallet)).toEqual([])
  expect(await storedPayments(page)).toEqual([])
})

/** Sends a deposit that the network knows and that is in no block. */
async function waitInPool(page: Parameters<typeof deposit>[0], stack: BrowserStack, amount: string): Promise<void> {
  await ask(stack, 'evm_setAutomine', [false])
  await fillIn(page, 'BTN', amount)
  await deposit(page).submit.click()
  await expect(deposit(page).status('Sent')).toBeVisible(PATIENT)
  // The app knows the nonce only once the network has shown the transaction.
  await expect.poll(() => storedPayments(page), PATIENT).toMatchObject([{ sent: [{ nonce: expect.any(Number) }] }])
}

async function vaultCall(
  stack: BrowserStack,
  role: 'guardian' | 'administrator',
  functionName: 'pause' | 'unpause',
): Promise<void> {
  const account = privateKeyToAccount(developmentKeys()[role])
  const client = createWalletClient({ account, chain: foundry, transport: http(stack.chain.rpcUrl) })
  await client.writeContract({ address: stack.contracts.vault, abi: poolVaultAbi, functionName })
}
