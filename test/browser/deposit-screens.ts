import type { Page } from '@playwright/test'
import { patchAnswer } from './api-answers.ts'
import { tokenOf } from './chain.ts'
import { depositPage, fillDepositForm, openDepositForm } from './deposit.ts'
import type { ScreenFixtures } from './screens.ts'
import type { BrowserStack } from './stack.ts'
import type { MemberWallet } from './wallet.ts'

const hash = (digit: string) => `0x${digit.repeat(64)}`

/** The deposit sheet in each of its states, and the tray. */
export const depositScreens: Readonly<Record<string, (tools: ScreenFixtures) => Promise<void>>> = {
  'deposit-form': async ({ page, enterWith }) => {
    await enterWith({ USDT: '1234567.123456' })
    await fillDepositForm(page, 'USDT', '1234567.123456')
  },
  'deposit-form-wrong': async ({ page, enterWith }) => {
    await enterWith({ BTN: '12' })
    await fillDepositForm(page, 'BTN', '1,234')
  },
  'deposit-other-network': async ({ page, enterWith }) => {
    const { wallet } = await enterWith({ USDT: '10' })
    wallet.chainId = 1
    await page.goto('/wallet/detail?symbol=USDT')
    await page.getByRole('button', { name: 'Deposit', exact: true }).click()
    await page.getByRole('button', { name: 'Switch to Lode Test' }).waitFor()
  },
  'deposit-unread': async ({ page, enterWith }) => {
    const { wallet } = await enterWith({ USDT: '10' })
    wallet.failNodeReads()
    await openDepositForm(page, 'USDT')
    await depositPage(page).tryAgain.waitFor()
  },
  'deposit-reported': async ({ page, enterWith }) => {
    await enterWith({ USDT: '10' })
    const items = [{ tx: hash('c'), amount: '5', at: new Date().toISOString() }]
    await patchAnswer(page, 'wallet/sent', (data) => ({ ...data, items }) as typeof data)
    await openDepositForm(page, 'USDT')
    await depositPage(page).sheet.getByRole('button', { name: 'Copy transaction hash' }).waitFor()
  },
  'deposit-asking': async ({ page, enterWith }) => {
    const { wallet } = await enterWith({ USDT: '1000' })
    wallet.setMisbehavior('hangs', 'eth_sendTransaction', 1)
    await fillDepositForm(page, 'USDT', '100')
    await depositPage(page).submit.click()
    await depositPage(page).status('In your wallet').waitFor()
  },
  'deposit-interrupted': (tools) => openStoredPayment(tools, { at: 'paused', problem: null }),
  'deposit-unknown': (tools) => openStoredPayment(tools, { at: 'unknown', why: 'not-seen', since: Date.now() }, ['a']),
  'deposit-confirming': async (tools) => {
    await mockTransactionStatus(tools.page, 'confirming')
    await openStoredPayment(tools, { at: 'confirming', hash: hash('a'), block: null, since: Date.now() - 190_000 }, [
      'a',
    ])
  },
  'deposit-credited': (tools) =>
    openStoredPayment(tools, { at: 'credited', hash: hash('a'), since: Date.now() }, ['a']),
  'deposit-failed': (tools) =>
    openStoredPayment(
      tools,
      { at: 'failed', why: { kind: 'replaced', by: hash('b') }, hash: hash('a'), since: Date.now() },
      ['a'],
    ),
  'payments-list': async ({ page, stack, enterWith }) => {
    const { wallet } = await enterWith({})
    await storePayment(page, stack, wallet, { at: 'credited', hash: hash('a'), since: Date.now() }, ['a'])
    await storePayment(
      page,
      stack,
      wallet,
      { at: 'failed', why: { kind: 'reverted' }, hash: hash('b'), since: Date.now() },
      ['b'],
    )
    await storePayment(page, stack, wallet, { at: 'paused', problem: null }, [])
    await page.goto('/home')
    await depositPage(page)
      .tray.getByRole('button', { name: /1 of 3 payments in progress/ })
      .click()
    await page.getByRole('dialog', { name: 'Payments' }).waitFor()
  },
}

/** Stores a payment in this stage in the browser. The tray then finds it. */
async function openStoredPayment(
  { page, stack, enterWith }: ScreenFixtures,
  stage: object,
  sent: string[] = [],
): Promise<void> {
  const { wallet } = await enterWith({})
  await storePayment(page, stack, wallet, stage, sent)
  await page.goto('/wallet')
  await depositPage(page).tray.getByRole('button').first().click()
  await depositPage(page).steps.first().waitFor()
}

async function storePayment(
  page: Page,
  stack: BrowserStack,
  wallet: MemberWallet,
  stage: object,
  sent: string[],
): Promise<void> {
  const id = crypto.randomUUID()
  const payment = {
    intent: {
      id,
      purpose: { kind: 'deposit' },
      account: wallet.address,
      chainId: stack.chain.chainId,
      vault: stack.contracts.vault,
      symbol: 'USDT',
      token: tokenOf(stack, 'USDT'),
      decimals: 6,
      units: '1234567123456',
      explorerUrl: 'https://explorer.example',
      finalityMinutes: 15,
      createdAt: Date.now(),
    },
    done: sent.length > 0 ? ['approve'] : [],
    left: sent.length > 0 ? ['pay'] : ['approve', 'pay'],
    permits: true,
    fromBlock: sent.length > 0 ? 1 : null,
    sent: sent.map((digit) => ({ hash: hash(digit), nonce: null })),
    stage,
  }
  await page.evaluate(([key, text]) => localStorage.setItem(key, text), [
    `payment.1.${wallet.address.toLowerCase()}.${id}`,
    JSON.stringify(payment),
  ] as const)
}

/** The server's answer for a transaction that is not final. */
async function mockTransactionStatus(page: Page, status: string): Promise<void> {
  await page.route(/\/api\/wallet\/log\?.*tx=/, async (route) => {
    const response = await route.fetch()
    const line = {
      id: 'x',
      type: 'transferIn',
      status,
      direction: 'in',
      amount: '1',
      fee: '0',
      at: new Date().toISOString(),
      endedAt: null,
      balanceAfter: null,
      tx: hash('a'),
    }
    const body = await response.json()
    await route.fulfill({ json: { ...body, data: { lines: [line], next: null } } })
  })
}
