import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { examplePlanFile } from '@lode/scripts/server'
import type { Page, Route } from '@playwright/test'
import { patchAnswer } from '../browser/api-answers.ts'
import { giveCoins, LONG_TIMEOUT, makeFinal } from '../browser/chain.ts'
import { moveClock } from '../browser/clock.ts'
import { getAs, type Member, storeWallet } from '../browser/member.ts'
import { moneyRequests } from '../browser/money-requests.ts'
import { operatorsOf } from '../browser/operators.ts'
import { expect, test as own } from '../browser/own-stack.ts'
import { openPromotionForm, orderOnline, promotionPage } from '../browser/promotion.ts'
import type { BrowserStack } from '../browser/stack.ts'
import { FUND_PASSWORD, registerDepositor } from '../browser/transfer.ts'
import type { MemberWallet } from '../browser/wallet.ts'

type Buyer = { readonly member: Member; readonly wallet: MemberWallet }

type EnterOptions = {
  /** USDT in the balance, deposited on the chain, and USDT in the wallet. */
  readonly balance?: string
  readonly wallet?: string
  readonly lang?: Member['lang']
}

/** Uses its own stack, because it moves the clock and changes the plan. */
const test = own.extend<{ enterAs: (means: EnterOptions) => Promise<Buyer> }>({
  enterAs: ({ page, stack, register, enter, giveWallet }, use) =>
    use(async ({ balance, wallet: coins = '500', lang = 'en' }) => {
      const asLang = () => register({ lang })
      const member = balance === undefined ? await asLang() : await registerDepositor(stack, asLang, { USDT: balance })
      const wallet = await giveWallet({ account: member.account })
      await giveCoins(stack, wallet.address, { USDT: coins })
      await enter(member)
      await storeWallet(page, wallet)
      return { member, wallet }
    }),
})

test.use({ onlyFor: 'promotion' })
// The app refreshes its data by itself, and a request may be open when the test ends.
test.afterEach(({ page }) => page.unrouteAll({ behavior: 'ignoreErrors' }))

const ORDER = /\/api\/promotion\/order/
const IN_PROGRESS = /^(Sent|In a block|Confirming)$/

const ordersOf = async (stack: BrowserStack, member: Member) =>
  (await getAs(stack, 'order/list', member, { type: '1' })).items
const levelOf = async (stack: BrowserStack, member: Member): Promise<number> =>
  (await getAs(stack, 'promotion/overview', member)).level

/** The pool receives the request, and its answer is lost. */
async function loseAnswer(route: Route): Promise<void> {
  await route.fetch()
  await route.abort()
}

async function expectSuccess(page: Page, level: number): Promise<void> {
  const { order, done, main } = promotionPage(page)
  await expect(order).toContainText(`You are now L${level}`, LONG_TIMEOUT)
  await done.click()
  await expect(order).toBeHidden()
  await expect(main.getByText(`L${level}`, { exact: true }).first()).toBeVisible()
}

test.describe('a promotion', () => {
  test('paid online shows the levels and the preview, needs two wallet requests, is confirmed, and gives the new level with its airdrop', async ({
    page,
    stack,
    enterAs,
  }) => {
    const { member, wallet } = await enterAs({})
    await page.goto('/promotion')
    const { main, promote, form, submit, order } = promotionPage(page)
    await expect(main).toContainText('L5')
    await expect(main).toContainText('1,600 USDT')
    await expect(main).toContainText('Referral rewards so farFrom L1 on')
    await expect(main).toContainText('Thanksgiving reward pending0.00 USDTfor sharing experts only')
    await expect(main).not.toContainText('approved by two operators')
    await promote.click()
    const shares = form.getByRole('region', { name: 'Where the money goes' })
    for (const [part, amount] of [
      ['Mining fund', '65.00'],
      ['Referral reward', '10.00'],
      ['Thanksgiving reward', '5.00'],
      ['Operations', '2.00'],
    ] as const)
      await expect(shares.locator('dl > div', { hasText: part })).toContainText(amount)
    await expect(form.getByRole('region', { name: 'What you get' })).toContainText('12,000 BTN')
    await expect(form).toContainText('Nobody can promise rewards or dividends')
    await expect(form).toContainText('From balance 0 USDT · from wallet 100 USDT')
    await expect(form.getByRole('region', { name: 'What happens next' })).toContainText(
      'approve 100 USDT for the vault',
    )
    await expect(form).toContainText(stack.contracts.vault.slice(-4))
    expect(wallet.prompts).toEqual([])
    await expect(submit).toHaveText('Order and pay 100 USDT')
    await submit.click()
    await expect(promotionPage(page).status(IN_PROGRESS)).toBeVisible(LONG_TIMEOUT)
    expect(moneyRequests(stack, wallet)).toEqual(['approve 100 USDT', 'pay 100 USDT'])
    await expect(promotionPage(page).status('Confirming')).toBeVisible(LONG_TIMEOUT)
    await expect(order).toContainText('usually final in about a minute')
    const [open] = await ordersOf(stack, member)
    expect(open).toMatchObject({ state: 'confirming', tx: wallet.lastTransaction.hash })
    await makeFinal(stack)
    await expect(order).toContainText('12,000 BTN', LONG_TIMEOUT)
    await expectSuccess(page, 1)
    await expect(promotionPage(page).tray).toBeHidden()
    await expect(promotionPage(page).promote).toHaveText('Promote to L2 for 200 USDT')

    const hash = wallet.lastTransaction.hash
    const record = page.locator('main:visible').getByRole('list').getByRole('listitem')
    await page.goto('/setting/subscribe')
    await expect(record).toHaveText(/Promotion to L1.*Success/s)
    await expect(record).toContainText(`${hash.slice(0, 6)}…${hash.slice(-4)}`)
    await page.getByRole('radio', { name: 'Payment records' }).check({ force: true })
    await expect(record).toContainText([`${hash.slice(0, 6)}…${hash.slice(-4)}`])
  })

  test('paid from the balance needs the fund password and is settled at once, in Traditional Chinese', async ({
    page,
    stack,
    enterAs,
  }) => {
    const { member, wallet } = await enterAs({ balance: '150', lang: 'zh_tw' })
    await page.goto('/promotion')
    await page.getByRole('button', { name: '以 100 USDT 晉升至 L1' }).click()
    const form = page.getByRole('dialog', { name: '晉升至 L1' })
    await expect(form.getByRole('textbox', { name: '由餘額支付' })).toHaveValue('100')
    await expect(form).toContainText('需由錢包支付0.00 USDT餘額支付 100 USDT · 錢包支付 0 USDT')
    await form.getByLabel('資金密碼').fill('wrong1')
    await form.getByRole('button', { name: '由餘額支付 100 USDT' }).click()
    await expect(form).toContainText('資金密碼錯誤')
    await form.getByLabel('資金密碼').fill(FUND_PASSWORD)
    await form.getByRole('button', { name: '由餘額支付 100 USDT' }).click()
    const order = page.getByRole('dialog', { name: '晉升至 L1' })
    await expect(order).toContainText('您現在是 L1', LONG_TIMEOUT)
    await expect(order).toContainText('12,000')
    expect(wallet.prompts).toEqual([])
    expect(await levelOf(stack, member)).toBe(1)
    const { items } = await getAs(stack, 'wallet/assets', member)
    expect(items.find(({ symbol }) => symbol === 'USDT')?.balance).toBe('50')
    const typesOf = async (symbol: string) =>
      (await getAs(stack, 'wallet/log', member, { symbol })).lines.map(({ type }) => type)
    expect(await typesOf('USDT')).toContain('upLevelByBalance')
    expect(await typesOf('BTN')).toEqual(['airdropForActive'])
  })

  test('paid mixed freezes a part of the balance and takes the rest from the wallet, in Simplified Chinese', async ({
    page,
    stack,
    enterAs,
  }) => {
    const { member, wallet } = await enterAs({ balance: '80', lang: 'zh_cn' })
    await page.goto('/promotion')
    await page.getByRole('button', { name: '以 100 USDT 晋升至 L1' }).click()
    const form = page.getByRole('dialog', { name: '晋升至 L1' })
    const part = form.getByRole('textbox', { name: '由余额支付' })
    await expect(part).toHaveValue('80')
    await expect(form).toContainText('余额支付 80 USDT · 钱包支付 20 USDT')
    await part.fill('81')
    await expect(form).toContainText('可用余额不足')
    await part.fill('100.5')
    await expect(form).toContainText('价格为 100 USDT')
    await part.fill('40')
    await expect(form).toContainText('60.00 USDT')
    await form.getByLabel('资金密码').fill(FUND_PASSWORD)
    await form.getByRole('button', { name: '下单并支付 60 USDT' }).click()
    const order = page.getByRole('dialog', { name: '晋升至 L1' })
    await expect(order.getByText('确认中', { exact: true })).toBeVisible(LONG_TIMEOUT)
    await makeFinal(stack)
    await expect(order).toContainText('您现在是 L1', LONG_TIMEOUT)
    expect(moneyRequests(stack, wallet)).toEqual(['approve 60 USDT', 'pay 60 USDT'])
    expect(await levelOf(stack, member)).toBe(1)
  })
})

test.describe('one press that orders and pays', () => {
  test('makes one order and one payment, however often it is pressed', async ({ page, stack, enterAs }) => {
    const { member, wallet } = await enterAs({})
    await openPromotionForm(page)
    const { submit, status } = promotionPage(page)
    await expect(submit).toHaveText('Order and pay 100 USDT')
    await submit.dblclick()
    await expect(status('Confirming')).toBeVisible(LONG_TIMEOUT)
    await makeFinal(stack)
    await expectSuccess(page, 1)
    expect(moneyRequests(stack, wallet)).toEqual(['approve 100 USDT', 'pay 100 USDT'])
    expect(await ordersOf(stack, member)).toHaveLength(1)
  })

  test('leaves an order that can be paid later if the wallet refuses, and never opens the wallet after a reload', async ({
    page,
    stack,
    enterAs,
  }) => {
    const { member, wallet } = await enterAs({})
    await openPromotionForm(page)
    const { submit, order, pay, main, status } = promotionPage(page)
    wallet.setMisbehavior('refuses', 'eth_sendTransaction', 1)
    await submit.click()
    await expect(order).toContainText('Your order is placed, and nothing is paid yet.', LONG_TIMEOUT)
    await expect(order).toContainText('To be paid from your wallet')
    await expect(pay).toBeEnabled()
    await page.reload()
    await expect(main).toContainText('You can come back to this order until then')
    await page.getByRole('button', { name: 'Pay 100 USDT' }).click()
    await expect(pay).toBeEnabled()
    await expect(order).not.toContainText('Your order is placed')
    expect(wallet.countRequests('eth_sendTransaction')).toBe(1)
    await pay.click()
    await expect(status('Confirming')).toBeVisible(LONG_TIMEOUT)
    expect(await ordersOf(stack, member)).toHaveLength(1)
  })

  test('only places the order if the wallet cannot be read or has too little, and says so', async ({
    page,
    stack,
    enterAs,
  }) => {
    const { member, wallet } = await enterAs({ wallet: '99.5' })
    await openPromotionForm(page)
    const { form, submit, order, pay } = promotionPage(page)
    await expect(form).toContainText(/Your wallet holds only 99\.5\sUSDT\..*Where the money goes/s)
    await expect(form).toContainText('An order must be paid within 30 minutes, so get the USDT first.')
    await expect(form).toContainText('Your balance is empty.')
    await expect(form).not.toContainText('your wallet can pay directly')
    await expect(submit).toHaveText('Place order')
    wallet.setMisbehavior('fails', 'eth_getBalance')
    await openPromotionForm(page)
    await expect(form).toContainText('What your wallet holds could not be read.')
    await expect(form).toContainText('You can place the order now and pay it within 30 minutes.')
    await expect(submit).toHaveText('Place order')
    wallet.clearMisbehaviors()
    await submit.click()
    await expect(order).toContainText('Your order is placed, and nothing is paid yet.')
    await expect(order).toContainText('Your wallet holds 99.5 USDT')
    await expect(pay).toBeVisible()
    expect(wallet.prompts).toEqual([])
    expect(await ordersOf(stack, member)).toHaveLength(1)
  })
})

test.describe('an unpaid order', () => {
  test('is offered again after a refusal, after a reload and in another tab, and no second order is created', async ({
    page,
    context,
    stack,
    enterAs,
  }) => {
    const { member, wallet } = await enterAs({})
    await orderOnline(page)
    wallet.setMisbehavior('refuses', 'eth_sendTransaction', 1)
    await promotionPage(page).pay.click()
    await expect.poll(() => wallet.countRequests('eth_sendTransaction')).toBe(1)
    await expect(promotionPage(page).pay).toBeEnabled()
    await expect(promotionPage(page).tray).toBeHidden()

    await page.reload()
    await expect(promotionPage(page).main).toContainText('You can come back to this order until then')
    const other = await context.newPage()
    await other.goto('/promotion')
    await other.getByRole('button', { name: 'Pay 100 USDT' }).click()
    await expect(promotionPage(other).pay).toBeVisible()
    await other.close()

    wallet.setMisbehavior('hangs', 'eth_sendTransaction', 1, 1)
    await page.getByRole('button', { name: 'Pay 100 USDT' }).click()
    await promotionPage(page).pay.click()
    await expect.poll(() => wallet.countRequests('eth_sendTransaction')).toBe(3)
    await page.reload()
    await promotionPage(page).tray.getByRole('button', { name: 'Order 100 USDT' }).click()
    await expect(promotionPage(page).status('Not confirmed yet')).toBeVisible()
    await wallet.approveAbandonedRequest()
    await expect(promotionPage(page).status(/^(In a block|Confirming)$/)).toBeVisible(LONG_TIMEOUT)
    await makeFinal(stack)
    await expectSuccess(page, 1)
    expect(await ordersOf(stack, member)).toHaveLength(1)
  })

  test('is created once, even if the answer is lost and the page is reloaded', async ({ page, stack, enterAs }) => {
    const { member, wallet } = await enterAs({})
    await openPromotionForm(page)
    const keys: string[] = []
    await page.route(ORDER, (route) => {
      keys.push(route.request().postDataJSON().key)
      return loseAnswer(route)
    })
    await promotionPage(page).submit.click()
    await expect(promotionPage(page).form).toContainText('it can’t go through twice', LONG_TIMEOUT)
    await expect.poll(() => keys.length, LONG_TIMEOUT).toBeGreaterThanOrEqual(2)
    // Reloads first: otherwise the old page could send again and receive the answer.
    await page.reload()
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    await expect(promotionPage(page).main).toContainText('Waiting for payment')
    expect(new Set(keys).size).toBe(1)
    expect(wallet.prompts).toEqual([])
    expect(await ordersOf(stack, member)).toHaveLength(1)
    expect(await page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith('promotion.')))).toEqual(
      [],
    )
  })

  test('does not open the wallet if the answer to the press comes a minute later', async ({ page, stack, enterAs }) => {
    const { member, wallet } = await enterAs({})
    await page.clock.install()
    await openPromotionForm(page)
    const { submit, order, pay } = promotionPage(page)
    await expect(submit).toHaveText('Order and pay 100 USDT')
    await page.route(
      ORDER,
      async (route) => {
        await route.fetch()
        await page.clock.fastForward(61_000)
        await route.abort()
      },
      { times: 1 },
    )
    await submit.click()
    await expect(order).toContainText('Your order is placed, and nothing is paid yet.', LONG_TIMEOUT)
    await expect(pay).toBeEnabled(LONG_TIMEOUT)
    expect(moneyRequests(stack, wallet)).toEqual([])
    expect(await ordersOf(stack, member)).toHaveLength(1)
  })

  test('that another device has paid does not open the wallet here', async ({ page, stack, enterAs }) => {
    const { wallet } = await enterAs({})
    await openPromotionForm(page)
    const { submit, order } = promotionPage(page)
    await expect(submit).toHaveText('Order and pay 100 USDT')
    const paid = <T extends object>(data: T) => ({ ...data, tx: `0x${'ab'.repeat(32)}` })
    await patchAnswer(page, 'promotion/order', paid)
    await patchAnswer(page, 'order/detail', paid)
    await submit.click()
    await expect(order).toContainText('A device of yours sent a payment for this order', LONG_TIMEOUT)
    await expect(order).not.toContainText('nothing is paid yet')
    expect(moneyRequests(stack, wallet)).toEqual([])
  })

  test('whose payment is in a block cannot be paid again or canceled, also before the pool knows it', async ({
    page,
    stack,
    enterAs,
  }) => {
    await enterAs({})
    await orderOnline(page)
    await patchAnswer(page, 'order/detail', (data) =>
      data.type === 1 ? { ...data, state: 'paying', cancellable: true, tx: null } : data,
    )
    await patchAnswer(page, 'promotion/overview', (data) => ({
      ...data,
      open: data.open && { ...data.open, state: 'paying', cancellable: true, tx: null },
    }))
    const { pay, cancel, order, status, main } = promotionPage(page)
    await pay.click()
    await expect(status(/^(In a block|Confirming)$/)).toBeVisible(LONG_TIMEOUT)
    await expect(cancel).toHaveCount(0)
    const steps = /Ordered.*Approve exactly 100\sUSDT.*Pay 100\sUSDT.*Final on the chain/
    await expect(order.getByRole('list', { name: 'Payment progress' })).toContainText(steps)
    await order.getByRole('button', { name: 'Close' }).first().click()
    await expect(page.getByRole('button', { name: 'View order' })).toBeVisible()
    await expect(main).toContainText('Waiting for confirmation')
    await expect(main).not.toContainText('You can come back to this order until then')

    await page.unrouteAll({ behavior: 'ignoreErrors' })
    await makeFinal(stack)
    await page.getByRole('button', { name: 'View order' }).click()
    await expect(order).toContainText('You are now L1', LONG_TIMEOUT)
    await expect(order.getByRole('list', { name: 'Order progress' }), 'the same steps').toContainText(steps)
  })

  test('is shown if the member tries to create another one', async ({ page, context, stack, enterAs }) => {
    const { member } = await enterAs({})
    await openPromotionForm(page)
    const other = await context.newPage()
    await orderOnline(other)
    await other.close()
    await promotionPage(page).submit.click()
    await expect(promotionPage(page).form).toBeHidden()
    await expect(promotionPage(page).pay).toBeVisible()
    expect(await ordersOf(stack, member)).toHaveLength(1)
  })

  test('can be canceled while its payment is pending, and the payment still counts', async ({
    page,
    stack,
    enterAs,
  }) => {
    const { wallet } = await enterAs({})
    await orderOnline(page)
    wallet.setMisbehavior('holds-back', 'eth_sendTransaction', 1, 1)
    const { pay, cancel, order, status } = promotionPage(page)
    await pay.click()
    await expect(status('Sent')).toBeVisible(LONG_TIMEOUT)
    await cancel.click()
    const dialog = page.getByRole('alertdialog')
    await expect(dialog).toContainText('If you’ve already paid, the order goes ahead')
    await dialog.getByRole('button', { name: 'Cancel order' }).click()
    await expect(order).toContainText('Closing. A payment already sent still counts; otherwise the order ends at about')
    await expect(cancel).toBeHidden()
    await wallet.broadcast()
    await expect(status(/^(In a block|Confirming)$/)).toBeVisible(LONG_TIMEOUT)
    await makeFinal(stack)
    await expectSuccess(page, 1)
  })
})

test('the page shows referrals, rewards and their maximum, income and pending Thanksgiving rewards', async ({
  page,
  enterAs,
}) => {
  await enterAs({})
  await patchAnswer(page, 'promotion/overview', (data) => ({
    ...data,
    level: 1,
    directReferrals: 7,
    effectiveInvites: 4,
    rewards: { count: 2, atMost: 3 },
    income: '24.5',
    thanksgiving: { expert: false, pending: '5' },
  }))
  await page.goto('/promotion')
  const row = (name: string) => promotionPage(page).main.locator('dl > div', { hasText: name })
  await expect(row('Direct referrals')).toContainText('74 of them activated')
  await expect(row('Referral rewards so far')).toContainText('2 of up to 3')
  await expect(row('Total income from team rewards')).toContainText('24.50 USDT')
  await expect(row('Thanksgiving reward pending')).toContainText('5.00 USDT')
  await expect(promotionPage(page).main).toContainText('Only sharing experts approved by two operators can claim this.')
  await expect(promotionPage(page).main.getByRole('button', { name: /^Claim/ })).toHaveCount(0)
  await promotionPage(page).main.getByRole('link', { name: 'Order and payment records' }).click()
  await expect(page).toHaveURL(/\/setting\/subscribe$/)
})

test.describe('a promotion that is not possible', () => {
  test('is explained: no plan, the highest level, an empty reserve, no fund password', async ({ page, enterAs }) => {
    await enterAs({ balance: '20' })
    let change: 'none' | 'highest' | 'empty' = 'none'
    await patchAnswer(page, 'promotion/overview', (data) => {
      if (!data.plan || change === 'none') return { ...data, plan: null }
      return change === 'highest'
        ? { ...data, level: 5, plan: { ...data.plan, next: null } }
        : { ...data, plan: { ...data.plan, next: data.plan.next && { ...data.plan.next, airdropFunded: false } } }
    })
    const { main, promote } = promotionPage(page)
    await page.goto('/promotion')
    await expect(main).toContainText('This pool has not published a plan yet, so nothing is for sale.')
    await expect(promote).toHaveCount(0)
    change = 'highest'
    await page.reload()
    await expect(main).toContainText('You hold the highest level.')
    await expect(page.getByRole('contentinfo')).toHaveCount(0)
    await expect(promote).toHaveCount(0)
    change = 'empty'
    await page.reload()
    await expect(main).toContainText('airdrop reserve is empty')
    await promote.click()
    await expect(promotionPage(page).form).toContainText('airdrop reserve is empty')
  })

  test('from the balance without a fund password leads to choosing one', async ({ page, enterAs, stack }) => {
    const { member } = await enterAs({})
    await patchAnswer(page, 'promotion/overview', (data) => ({ ...data, available: '30' }))
    await openPromotionForm(page)
    await promotionPage(page).part.fill('30')
    const { form } = promotionPage(page)
    await expect(form).toContainText('Choose one first.')
    await form.getByRole('button', { name: 'Choose a fund password' }).click()
    const choosing = page.getByRole('dialog', { name: 'Choose a fund password' })
    await choosing.getByLabel('Set-up code').fill(member.setupCode)
    await choosing.getByLabel('Fund password').fill(FUND_PASSWORD)
    await choosing.getByRole('button', { name: 'Choose a fund password' }).click()
    await expect(choosing).toBeHidden()
    await promotionPage(page).password.fill(FUND_PASSWORD)
    await promotionPage(page).submit.click()
    await expect(form).toContainText('Insufficient available balance')
    expect(await ordersOf(stack, member)).toEqual([])
  })
})

test.describe('after a plan change', () => {
  // In this order: the second test depends on the five-minute deadline that the first one publishes.
  test.describe.configure({ mode: 'default' })

  test('the new plan is shown before anything is ordered', async ({ page, stack, enterAs }) => {
    const { member } = await enterAs({})
    await openPromotionForm(page)
    await publishPlan(stack, ({ levels: [first, second, ...more], ...plan }) => ({
      ...plan,
      levels: [first, { ...second, price: '110' }, ...more],
      quoteMinutes: 5,
    }))
    const { submit, form, order } = promotionPage(page)
    await submit.click()
    await expect(form).toContainText('The plan has changed. Please review the new terms')
    await expect(form).toContainText('110.00 USDT')
    await expect(form).toContainText('Plan v2')
    expect(await ordersOf(stack, member)).toEqual([])
    await submit.click()
    await expect(order).toContainText('110.00 USDT')
    expect(await ordersOf(stack, member)).toMatchObject([{ planVersion: 2, amount: '110' }])
  })

  test('an unpaid order expires, its frozen part is released, and a new order can be made', async ({
    page,
    stack,
    enterAs,
  }) => {
    const { member, wallet } = await enterAs({ balance: '50' })
    await openPromotionForm(page)
    const { part, password, submit, order, pay, main, promote, done } = promotionPage(page)
    await part.fill('50')
    await password.fill(FUND_PASSWORD)
    wallet.setMisbehavior('refuses', 'eth_sendTransaction', 1)
    await submit.click()
    await expect(pay).toHaveText('Pay 60 USDT')
    await expect(order).toContainText('From balance 50 USDT · to be paid from wallet 60 USDT')
    await expect(order).toContainText('Your order is placed, and nothing is paid yet.')
    const balanceOf = async () => {
      const { items } = await getAs(stack, 'wallet/assets', member)
      return items.find(({ symbol }) => symbol === 'USDT')?.balance
    }
    expect(await balanceOf()).toBe('0')

    await moveClock(stack, 6 * 60)
    await expect(order).toContainText('was not paid in time. 50 USDT is available again.', LONG_TIMEOUT)
    expect(await balanceOf()).toBe('50')
    expect(moneyRequests(stack, wallet)).toEqual(['approve 60 USDT'])
    await done.click()
    await expect(main).not.toContainText('Waiting for payment')
    await promote.click()
    await part.fill('0')
    await submit.click()
    await expect(promotionPage(page).status('Confirming')).toBeVisible(LONG_TIMEOUT)
    await makeFinal(stack)
    await expectSuccess(page, 1)
    expect(await ordersOf(stack, member)).toMatchObject([{ state: 'success' }, { state: 'failed', failure: 'expired' }])
  })
})

type PlanFile = { levels: [object, object, ...object[]] }

/** Both operators publish with the command line. */
async function publishPlan(stack: BrowserStack, change: (plan: PlanFile) => object): Promise<void> {
  const file = join(stack.operatorsFolder, 'changed.json')
  await writeFile(file, JSON.stringify(change(JSON.parse(readFileSync(examplePlanFile, 'utf8')))))
  await operatorsOf(stack).publish(file)
}
