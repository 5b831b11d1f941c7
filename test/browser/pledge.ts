import { randomBytes } from 'node:crypto'
import { poolVaultAbi } from '@lode/contracts'
import { developmentKeys } from '@lode/contracts/dev/deploy'
import type { DataOf } from '@lode/wire'
import { expect, type Page } from '@playwright/test'
import pg from 'pg'
import { createPublicClient, createWalletClient, erc20Abi, type Hex, http, parseUnits, toHex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { foundry } from 'viem/chains'
import { callPublicRoute } from './api-answers.ts'
import { decimals, makeFinal } from './chain.ts'
import { moveClock } from './clock.ts'
import { getAs, type Member, postAs } from './member.ts'
import { postHistory } from './post-history.ts'
import type { BrowserStack } from './stack.ts'
import { FUND_PASSWORD } from './transfer.ts'

/** The elements of the pledge page, by their accessible names. */
export function pledgePage(page: Page) {
  const main = page.locator('main:visible')
  const form = page.getByRole('dialog', { name: 'Pledge preview' })
  const order = page.getByRole('dialog', { name: /^Pledge for \d+ days$/ })
  const quantity = main.getByLabel(/^Quantity/)
  return {
    main,
    quantity,
    /** The message at the field. */
    fieldMessage: main.locator('form p[aria-live=polite]'),
    max: main.getByRole('button', { name: /^Max/ }),
    term: (days: number) => main.getByRole('radio', { name: new RegExp(`^${days} days`) }),
    preview: page.getByRole('button', { name: 'Preview' }),
    collect: main.getByRole('button', { name: /^Collect / }),
    timer: main.getByRole('timer'),
    form,
    part: form.getByRole('textbox', { name: 'From your balance' }),
    password: form.getByLabel('Fund password'),
    /** Creates the order. */
    submit: form.getByRole('button', { name: /^(Place order|Order and pay .*|Pay .* from balance)$/ }),
    order,
    pay: order.getByRole('button', { name: /^Pay / }),
    done: order.getByRole('button', { name: 'Done' }),
    status: (word: string | RegExp) => order.getByText(word, { exact: true }),
    tray: page.getByRole('region', { name: 'Payments' }),
    records: main.getByRole('listitem').filter({ hasText: 'Pledge ·' }),
    /** The line of a day, by its date as text. */
    day: (date: string) => main.getByRole('listitem').filter({ has: page.getByText(date, { exact: true }) }),
  }
}

/** Opens the preview as members do. */
export async function previewPledge(page: Page, quantity: string, days = 30): Promise<void> {
  await page.goto('/pledge')
  await pledgePage(page).quantity.fill(quantity)
  await pledgePage(page).term(days).check()
  await pledgePage(page).preview.click()
  await pledgePage(page).form.waitFor()
}

/** Funds a day with BTC on the chain, with its own Bitcoin output, and makes it final. */
export async function fundDay(stack: BrowserStack, day: number, amount: string): Promise<Hex> {
  const transport = http(stack.chain.rpcUrl)
  const funder = createWalletClient({
    account: privateKeyToAccount(developmentKeys().funder),
    transport,
    chain: { ...foundry, id: stack.chain.chainId },
  })
  const { vault, btc } = stack.contracts
  const units = parseUnits(amount, decimals.BTC)
  await funder.writeContract({ address: btc, abi: erc20Abi, functionName: 'approve', args: [vault, units] })
  const evidence = { txid: toHex(randomBytes(32)), index: 0 }
  const tx = await funder.writeContract({
    address: vault,
    abi: poolVaultAbi,
    functionName: 'fundDividend',
    args: [day, units, evidence],
  })
  const { status } = await createPublicClient({ transport }).waitForTransactionReceipt({
    hash: tx,
    pollingInterval: 50,
  })
  if (status !== 'success') throw new Error('The vault did not take the funding')
  await makeFinal(stack)
  return tx
}

/** Runs the job now instead of in the worker's next minute. */
async function runJob(stack: BrowserStack, job: 'close-days' | 'return-pledges'): Promise<void> {
  const client = new pg.Client({ connectionString: stack.ownerUrl })
  await client.connect()
  try {
    await client.query('select graphile_worker.add_job($1)', [job])
  } finally {
    await client.end()
  }
}

/** The pool's time. */
async function readPoolTime(stack: BrowserStack): Promise<Date> {
  const client = new pg.Client({ connectionString: stack.ownerUrl })
  await client.connect()
  try {
    const { rows } = await client.query<{ now: Date }>('select lode.now() as now')
    return rows[0]?.now ?? new Date()
  } finally {
    await client.end()
  }
}

export const readPoolDay = async (stack: BrowserStack): Promise<number> => dayOf(await readPoolTime(stack))

const DAY_SECONDS = 86_400

/** Moves both clocks to an hour of a day. All sessions expire. */
export async function moveClockToHour(stack: BrowserStack, day: number, hour: number): Promise<void> {
  const now = Math.floor((await readPoolTime(stack)).getTime() / 1_000)
  await moveClock(stack, day * DAY_SECONDS + hour * 3_600 - now)
}

/** Waits until this day is the newest closed one. */
export async function waitUntilDayClosed(stack: BrowserStack, day: number): Promise<void> {
  await expect(async () => {
    await makeFinal(stack)
    await runJob(stack, 'close-days')
    const { items } = await callPublicRoute(stack, 'pool/days')
    expect(items[0]?.day ?? 0).toBeGreaterThanOrEqual(day)
  }).toPass({ timeout: 30_000, intervals: [500] })
}

/** Waits until ended pledges are returned. */
export async function waitUntilPledgesReturned(stack: BrowserStack, member: Member): Promise<void> {
  await expect(async () => {
    await runJob(stack, 'return-pledges')
    const { items } = await getAs(stack, 'pledge/records', member)
    expect(items.every(({ status }) => status === 'close')).toBe(true)
  }).toPass({ timeout: 30_000, intervals: [500] })
}

export const dayOf = (time: Date): number => Math.floor(time.getTime() / 1_000 / DAY_SECONDS)

/** The date of a day as the English screens show it. */
export const formatDay = (day: number): string =>
  new Intl.DateTimeFormat('en-GB', { year: 'numeric', month: 'short', day: 'numeric', timeZone: 'UTC' }).format(
    new Date(day * DAY_SECONDS * 1_000),
  )

type PledgeRequest = { readonly quantity: string; readonly termDays: number; readonly fromBalance: string }

/** Orders a pledge with the app's call. Posts the part from the balance first. */
export async function orderPledge(
  stack: BrowserStack,
  member: Member,
  { quantity, termDays, fromBalance }: PledgeRequest,
): Promise<DataOf<'pledge/order'>> {
  const { plan } = await getAs(stack, 'pledge/overview', member)
  if (!plan) throw new Error('There is no plan')
  if (fromBalance !== '0') await postHistory(stack, member, [{ received: fromBalance, asset: 'BTN' }])
  return postAs(stack, 'pledge/order', member, {
    key: randomBytes(16).toString('hex'),
    planVersion: plan.version,
    quantity,
    termDays,
    balancePart: fromBalance,
    ...(fromBalance !== '0' && { password: FUND_PASSWORD }),
  })
}
