import { poolVaultAbi } from '@lode/contracts'
import type { Asset } from '@lode/kernel'
import type { DataOf } from '@lode/wire'
import { expect, type Locator, type Page } from '@playwright/test'
import { createWalletClient, erc20Abi, http, parseUnits } from 'viem'
import { foundry } from 'viem/chains'
import { decimals, giveCoins, makeFinal, tokenOf } from './chain.ts'
import { chooseFundPassword, getAs, type Member } from './member.ts'
import { postHistory } from './post-history.ts'
import type { BrowserStack } from './stack.ts'

export const FUND_PASSWORD = 'maple47'

export type TransferOrder = DataOf<'transfer/order'>
type Coins = { readonly [A in Asset]?: string }

/** The elements of the transfer pages, by their accessible names. */
export function transferPage(page: Page) {
  const main = page.locator('main:visible')
  const sheet = page.getByRole('dialog', { name: /^Transfer (?:out|[\d.,]+.*)\?$/ })
  const steps = main.getByRole('list', { name: 'Transfer progress' }).getByRole('listitem')
  return {
    main,
    sheet,
    amount: main.getByLabel('Amount that arrives'),
    max: main.getByRole('button', { name: /^Max/ }),
    /** Opens the sheet. */
    submit: page.getByRole('button', { name: /^Transfer(?: out| [\d.,]+.*)$/ }).last(),
    password: sheet.getByLabel('Fund password'),
    /** Sends the transfer. */
    confirm: sheet.getByRole('button', { name: /^Transfer / }),
    steps,
    step: (name: string): Locator => steps.filter({ hasText: name }),
    /** The state in the header. */
    state: (word: string): Locator => main.getByRole('status').getByText(word, { exact: true }),
    cancel: main.getByRole('button', { name: 'Cancel transfer' }),
  }
}

/**
 * A member with a fund password and a balance in the ledger only. The chain does not have this money, so the signer
 * pays nothing.
 */
export async function registerMemberWithBalance(
  stack: BrowserStack,
  register: () => Promise<Member>,
  coins: Coins = { USDT: '500' },
): Promise<Member> {
  const member = await register()
  await chooseFundPassword(stack, member, FUND_PASSWORD)
  const received = Object.entries(coins).map(([asset, amount]) => ({ received: amount, asset: asset as Asset }))
  await postHistory(stack, member, received)
  return member
}

/** A member with a fund password whose money was deposited on the chain and credited. */
export async function registerDepositor(
  stack: BrowserStack,
  register: () => Promise<Member>,
  coins: Coins,
): Promise<Member> {
  const member = await register()
  await chooseFundPassword(stack, member, FUND_PASSWORD)
  await giveCoins(stack, member.account.address, coins)
  const wallet = createWalletClient({
    account: member.account.key,
    chain: { ...foundry, id: stack.chain.chainId },
    transport: http(stack.chain.rpcUrl),
  })
  const { vault } = stack.contracts
  for (const [symbol, amount] of Object.entries(coins) as [Asset, string][]) {
    const [address, units] = [tokenOf(stack, symbol), parseUnits(amount, decimals[symbol])]
    await wallet.writeContract({ address, abi: erc20Abi, functionName: 'approve', args: [vault, units] })
    await wallet.writeContract({ address: vault, abi: poolVaultAbi, functionName: 'deposit', args: [address, units] })
  }
  await makeFinal(stack)
  await expect(async () => {
    const { items } = await getAs(stack, 'wallet/assets', member)
    for (const { symbol, balance } of items) expect(balance).toBe(coins[symbol] ?? '0')
  }).toPass({ timeout: 15_000 })
  return member
}

/** Opens the form, fills it in and continues to the password. */
export async function openTransferConfirmation(page: Page, symbol: Asset, amount: string): Promise<void> {
  await page.goto(`/setting/transfer?symbol=${symbol}`)
  await page.getByText('Available:').waitFor()
  await transferPage(page).amount.fill(amount)
  await transferPage(page).submit.click()
  await transferPage(page).sheet.waitFor()
}

/** Makes a transfer up to its timeline. Returns its id. */
export async function makeTransfer(page: Page, symbol: Asset, amount: string): Promise<string> {
  await openTransferConfirmation(page, symbol, amount)
  await transferPage(page).password.fill(FUND_PASSWORD)
  await transferPage(page).confirm.click()
  await page.waitForURL(/\?id=/)
  await transferPage(page).steps.first().waitFor()
  return new URL(page.url()).searchParams.get('id') ?? ''
}

/** Changes transfers in the server's answers, to states that would need days or an operator. */
export async function patchTransfers(
  page: Page,
  change: (order: TransferOrder) => Partial<TransferOrder>,
): Promise<void> {
  const changed = (one: TransferOrder): TransferOrder => ({ ...one, ...change(one) })
  await page.route(/\/api\/order\/(?:detail|list)/, async (route) => {
    const response = await route.fetch()
    const body = (await response.json()) as { data: TransferOrder | { items: TransferOrder[] } }
    const data = 'items' in body.data ? { ...body.data, items: body.data.items.map(changed) } : changed(body.data)
    await route.fulfill({ json: { ...body, data } })
  })
}

/** Changes the terms in the server's answers. */
export async function patchTerms(
  page: Page,
  change: (terms: DataOf<'transfer/terms'>) => Partial<DataOf<'transfer/terms'>>,
): Promise<void> {
  await page.route(/\/api\/transfer\/terms/, async (route) => {
    const response = await route.fetch()
    const body = (await response.json()) as { data: DataOf<'transfer/terms'> }
    await route.fulfill({ json: { ...body, data: { ...body.data, ...change(body.data) } } })
  })
}

/** The stored presses whose outcome this browser does not know. */
export const readStoredPresses = (page: Page): Promise<Record<string, unknown>[]> =>
  page.evaluate(() =>
    Object.entries(localStorage)
      .filter(([key]) => key.startsWith('transfer.'))
      .map(([, text]) => JSON.parse(text)),
  )
