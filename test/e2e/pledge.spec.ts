import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { examplePlanFile } from '@lode/scripts/server'
import type { Route } from '@playwright/test'
import { patchAnswer } from '../browser/api-answers.ts'
import { giveCoins, LONG_TIMEOUT, makeFinal } from '../browser/chain.ts'
import { getAs, type Member, storeWallet } from '../browser/member.ts'
import { moneyRequests } from '../browser/money-requests.ts'
import { operatorsOf } from '../browser/operators.ts'
import { expect, test as own } from '../browser/own-stack.ts'
import { orderPledge, pledgePage, previewPledge } from '../browser/pledge.ts'
import { makeProductionTable } from '../browser/production-table.ts'
import { signInPage } from '../browser/sign-in.ts'
import type { BrowserStack } from '../browser/stack.ts'
import { FUND_PASSWORD, registerDepositor } from '../browser/transfer.ts'
import type { MemberWallet } from '../browser/wallet.ts'

type EnterOptions = {
  /** BTN in the balance, deposited on the chain, and BTN in the wallet. */
  readonly balance?: string
  readonly wallet?: string
  readonly lang?: Member['lang']
}

/** Uses its own stack, because it controls when a payment is final and changes the plan. */
const test = own.extend<{ enterAs: (means: EnterOptions) => Promise<{ member: Member; wallet: MemberWallet }> }>({
  enterAs: ({ page, stack, register, enter, giveWallet }, use) =>
    use(async ({ balance, wallet: coins = '50000', lang = 'en' }) => {
      const asLang = () => register({ lang })
      const member = balance === undefined ? await asLang() : await registerDepositor(stack, asLang, { BTN: balance })
      const wallet = await giveWallet({ account: member.account })
      await giveCoins(stack, wallet.address, { BTN: coins })
      await enter(member)
      await storeWallet(page, wallet)
      return { member, wallet }
    }),
})

test.use({ onlyFor: 'pledge' })
// The app refreshes its data by itself, and a request may be open when the test ends.
test.afterEach(({ page }) => page.unrouteAll({ behavior: 'ignoreErrors' }))

const ORDER = /\/api\/pledge\/order/

const recordsOf = async (stack: BrowserStack, member: Member) => (await getAs(stack, 'pledge/records', member)).items

/** The pool receives the request, and its answer is lost. */
async function loseAnswer(route: Route): Promise<void> {
  await route.fetch()
  await route.abort()
}

test.describe('the quantity of a pledge', () => {
  test('must be whole and greater than 10,000: errors are shown at the field, and 10,001 is accepted', async ({
    page,
    enterAs,
  }) => {
    await enterAs({ balance: '10001.75' })
    await page.goto('/pledge')
    const { quantity, fieldMessage, preview, form, max, main } = pledgePage(page)
    await expect(fieldMessage).toHaveText('Available: 10,001.75 BTN')
    await preview.click()
    await expect(fieldMessage).toHaveText('Enter an amount')
    await expect(quantity).toBeFocused()
    for (const [written, words] of [
      ['10000', 'A pledge must be greater than 10,000 BTN'],
      ['10000.5', 'Whole BTN only, no decimals'],
      ['a lot', 'Invalid purchase quantity'],
    ] as const) {
      await quantity.fill(written)
      await expect(fieldMessage).toHaveText(words)
      await expect(quantity).toHaveAttribute('aria-invalid', 'true')
      await preview.click()
      await expect(form).toBeHidden()
    }
    await max.click()
    await expect(quantity).toHaveValue('10001')
    await expect(fieldMessage).toHaveText('Available: 10,001.75 BTN')
    await expect(main).toContainText('Dividends depend on what the pool really earns each day and can be zero.')
    await preview.click()
    await expect(form).toContainText('10,001.00 BTN')
    await expect(form).toContainText('You cannot end a pledge early')
  })
})

test.describe('a pledge', () => {
  test('paid online is previewed, paid with the wallet, confirmed, and runs from the next day', async ({
    page,
    stack,
    enterAs,
  }) => {
    const { member, wallet } = await enterAs({})
    await previewPledge(page, '20,000', 90)
    const { form, submit, order, status, done, main, records } = pledgePage(page)
    await expect(form).toContainText('90 days ×1.10')
    await expect(form).toContainText('22,000 BTN')
    await expect(form).toContainText('From balance 0 BTN · from wallet 20,000 BTN')
    await expect(form).toContainText(/First dividend.*at the earliest/)
    await expect(form).toContainText('No day has been closed yet, so no dividend was ever paid.')
    await expect(form).toContainText('A transfer out needs 0.00055000 BTC, fee included.')
    await submit.click()
    await expect(order).toContainText('20,000.00 BTN')
    await expect(status('Confirming')).toBeVisible(LONG_TIMEOUT)
    expect(await recordsOf(stack, member)).toMatchObject([{ status: 'confirm', day: 0 }])
    await makeFinal(stack)
    await expect(order).toContainText('Pledged', LONG_TIMEOUT)
    await expect(order).toContainText('×1.10')
    await expect(order).toContainText(/First day\d.*First dividend\d.* at the earliestBTN returned\d/)
    await done.click()
    await expect(main).toContainText('20,000 BTN locked')
    await expect(main).toContainText(
      /Of the locked BTN, an effective pledge of 22,000\sBTN starts to count on \d+ [A-Z][a-z]{2} \(UTC\)\./,
    )
    expect(moneyRequests(stack, wallet)).toEqual(['permit 20000 BTN', 'payWithPermit 20000 BTN'])
    expect(await recordsOf(stack, member)).toMatchObject([{ status: 'enable', amount: '20000', days: 90, day: 0 }])

    await page.getByRole('link', { name: 'Records' }).click()
    await expect(records).toHaveCount(1)
    await expect(records).toContainText('20,000 BTN')
    await expect(records, 'its first day is still to come').toContainText('Scheduled')
    await expect(records).toContainText('Starts')
    await page.getByRole('combobox', { name: 'Status' }).selectOption('Closed')
    await expect(main).toContainText('No pledge has this status.')
  })

  test('paid from the balance needs the fund password and succeeds at once, in Traditional Chinese', async ({
    page,
    stack,
    enterAs,
  }) => {
    const { member, wallet } = await enterAs({ balance: '30000.5', lang: 'zh_tw' })
    await page.goto('/pledge')
    await page.getByLabel(/^數量/).fill('10000.5')
    await expect(page.locator('main:visible')).toContainText('只能是整數 BTN，不能有小數')
    await page.getByLabel(/^數量/).fill('30000')
    await page.getByRole('radio', { name: /^360 天/ }).check()
    await page.getByRole('button', { name: '預覽' }).click()
    const form = page.getByRole('dialog', { name: '質押預覽' })
    await expect(form.getByRole('textbox', { name: '由餘額支付' })).toHaveValue('30000')
    await form.getByLabel('資金密碼').fill('wrong1')
    await form.getByRole('button', { name: '由餘額支付 30,000 BTN' }).click()
    await expect(form).toContainText('資金密碼錯誤')
    await form.getByLabel('資金密碼').fill(FUND_PASSWORD)
    await form.getByRole('button', { name: '由餘額支付 30,000 BTN' }).click()
    const order = page.getByRole('dialog', { name: '質押 360 天' })
    await expect(order).toContainText('質押成功', LONG_TIMEOUT)
    expect(wallet.prompts).toEqual([])
    const { items } = await getAs(stack, 'wallet/assets', member)
    expect(items.find(({ symbol }) => symbol === 'BTN')?.balance).toBe('0.5')
    const { lines } = await getAs(stack, 'wallet/log', member, { symbol: 'BTN' })
    expect(lines.map(({ type }) => type)).toContain('createPledge')
    await page.goto('/pledge/detail')
    await expect(page.locator('main:visible')).toContainText('進行中')
    await expect(page.locator('main:visible')).toContainText('有效質押 45,000 BTN')
  })

  test('paid mixed freezes a part of the balance and takes the rest from the wallet, in Simplified Chinese', async ({
    page,
    stack,
    enterAs,
  }) => {
    const { member, wallet } = await enterAs({ balance: '8000.25', lang: 'zh_cn' })
    await page.goto('/pledge')
    await page.getByLabel(/^数量/).fill('12000')
    await page.getByRole('button', { name: '预览' }).click()
    const form = page.getByRole('dialog', { name: '质押预览' })
    const part = form.getByRole('textbox', { name: '由余额支付' })
    // As with a promotion: the balance first, the rest from the wallet.
    await expect(part).toHaveValue('8000.25')
    await part.fill('8000.5')
    await expect(form).toContainText('可用余额不足')
    await part.fill('8000.25')
    await expect(form).toContainText('3,999.75 BTN')
    await form.getByLabel('资金密码').fill(FUND_PASSWORD)
    await form.getByRole('button', { name: '下单并支付 3,999.75 BTN' }).click()
    const order = page.getByRole('dialog', { name: '质押 30 天' })
    await expect(order.getByText('确认中', { exact: true })).toBeVisible(LONG_TIMEOUT)
    await makeFinal(stack)
    await expect(order).toContainText('质押成功', LONG_TIMEOUT)
    expect(moneyRequests(stack, wallet)).toEqual(['permit 3999.75 BTN', 'payWithPermit 3999.75 BTN'])
    expect(await recordsOf(stack, member)).toMatchObject([{ status: 'enable', amount: '12000' }])
  })
})

test.describe('a pledge order', () => {
  test('is shown again after a reload and can be paid', async ({ page, stack, enterAs }) => {
    const { member, wallet } = await enterAs({})
    await previewPledge(page, '10001')
    const { submit, pay, main, quantity, order } = pledgePage(page)
    wallet.setMisbehavior('refuses', 'eth_signTypedData_v4', 1)
    await submit.click()
    await expect(order).toContainText('nothing is paid yet', LONG_TIMEOUT)
    await page.reload()
    await expect(main).toContainText('You can come back to this order until then')
    await expect(quantity).toHaveCount(0)
    await page.getByRole('button', { name: 'Pay 10,001 BTN' }).click()
    await pay.click()
    await expect(pledgePage(page).status('Confirming')).toBeVisible(LONG_TIMEOUT)
    await makeFinal(stack)
    await expect(order).toContainText('Pledged', LONG_TIMEOUT)
    expect(await recordsOf(stack, member)).toHaveLength(1)
  })

  test('is created once, even if the answer is lost and the page is reloaded', async ({ page, stack, enterAs }) => {
    const { member } = await enterAs({ balance: '25000' })
    await previewPledge(page, '20000')
    const { password, submit, form, main, order } = pledgePage(page)
    const keys: string[] = []
    await page.route(ORDER, (route) => {
      keys.push(route.request().postDataJSON().key)
      return loseAnswer(route)
    })
    await password.fill(FUND_PASSWORD)
    await submit.click()
    await expect(form).toContainText('it can’t go through twice', LONG_TIMEOUT)
    await expect.poll(() => keys.length, LONG_TIMEOUT).toBeGreaterThanOrEqual(2)
    // Reloads first: otherwise the old page could send again and receive the answer.
    await page.reload()
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    await expect(main).toContainText('Your pledge of 20,000 BTN was placed.')
    await main.getByRole('button', { name: 'View order' }).click()
    await expect(order).toContainText('Pledged')
    expect(new Set(keys).size).toBe(1)
    expect(await recordsOf(stack, member)).toHaveLength(1)
    expect(await page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith('pledge.')))).toEqual([])
  })

  test('that did not reach the pool can be sent again with the same key', async ({ page, stack, enterAs }) => {
    const { member } = await enterAs({ balance: '25000' })
    await previewPledge(page, '20000', 90)
    const { password, submit, form, main, order, part } = pledgePage(page)
    const keys: string[] = []
    page.on('request', (asked) => {
      if (ORDER.test(asked.url())) keys.push(asked.postDataJSON().key)
    })
    await page.route(ORDER, (route) => route.abort())
    await password.fill(FUND_PASSWORD)
    await submit.click()
    await expect(form).toContainText('it can’t go through twice', LONG_TIMEOUT)
    // Reloads first: otherwise the old page could send again and receive the answer.
    await page.reload()
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    await expect(main).toContainText('No answer yet on your pledge of 20,000 BTN.')
    await main.getByRole('button', { name: 'Send again' }).click()
    await expect(form).toContainText('This resends your earlier request.')
    await expect(part).toHaveValue('20000')
    await password.fill(FUND_PASSWORD)
    await submit.click()
    await expect(order).toContainText('Pledged', LONG_TIMEOUT)
    expect(new Set(keys).size).toBe(1)
    expect(await recordsOf(stack, member)).toMatchObject([{ amount: '20000', days: 90 }])
  })
})

test.describe('a pledge that is not possible', () => {
  test('is explained without a plan, and not offered in an exit session', async ({
    page,
    register,
    disable,
    enter,
    giveWallet,
  }) => {
    const member = await register()
    await enter(member)
    await patchAnswer(page, 'pledge/overview', (data) => ({ ...data, plan: null, next: null }))
    await page.goto('/pledge')
    const { main, preview } = pledgePage(page)
    await expect(main).toContainText('This pool has not published a plan yet, so nothing can be pledged.')
    await expect(preview).toHaveCount(0)
    await page.unrouteAll({ behavior: 'ignoreErrors' })

    await disable(member)
    await giveWallet({ account: member.account })
    await page.goto('/login')
    await signInPage(page)
      .wallet(/Plain Wallet/)
      .click()
    await page.getByRole('button', { name: 'Take your assets out' }).click()
    await page.getByRole('link', { name: 'Pledge', exact: true }).click()
    await expect(main).toContainText('Nothing to collect right now.')
    await expect(main.getByRole('heading', { name: 'New pledge' })).toHaveCount(0)
    await page.getByRole('link', { name: 'Records' }).click()
    await expect(main).toContainText('Your pledges will be listed here.')
  })

  test('that failed says why in the records, and where its BTN are', async ({ page, enterAs }) => {
    await enterAs({})
    await patchAnswer(page, 'pledge/records', () => {
      const [one] = makeProductionTable(20_000, [0n, 1n]).records
      if (!one) throw new Error('no record')
      const failed = { ...one, status: 'failed', startDay: null, endDay: null, day: 0, produced: '0', collected: '0' }
      const parts = { amount: '20000', balancePart: '5000', payAmount: '15000' }
      return {
        items: [
          { ...failed, failure: 'expired' },
          { ...failed, id: 'b6f7a1c2-0000-4000-8000-000000000002', ...parts, failure: 'cancelled' },
        ],
        next: null,
      }
    })
    await page.goto('/pledge/detail')
    const lines = pledgePage(page).records
    await expect(lines.nth(0)).toContainText('The order was not paid in time. Nothing was paid.')
    await expect(lines.nth(1)).toContainText('You canceled the order')
    await expect(lines.nth(1)).toContainText('5,000\u00a0BTN is available again.')
  })

  test('with a status that the app does not know is shown as undefined', async ({ page, stack, enterAs }) => {
    const { member } = await enterAs({ balance: '20000' })
    await orderPledge(stack, member, { quantity: '20000', termDays: 30, fromBalance: '20000' })
    await page.route(/\/api\/pledge\/records/, async (route) => {
      const answer = await (await route.fetch()).text()
      await route.fulfill({ body: answer.replaceAll('"status":"enable"', '"status":"fromTheFuture"') })
    })
    await page.goto('/pledge/detail')
    await expect(pledgePage(page).records).toHaveCount(1)
    await expect(pledgePage(page).records).toContainText('Undefined')
  })

  test('is previewed again before it is ordered if the plan has changed', async ({ page, stack, enterAs }) => {
    const { member, wallet } = await enterAs({})
    await previewPledge(page, '20000', 90)
    const file = join(stack.operatorsFolder, 'changed.json')
    const plan = JSON.parse(readFileSync(examplePlanFile, 'utf8'))
    const pledgeTerms = [
      { days: 30, weight: 10_000 },
      { days: 90, weight: 12_000 },
    ]
    await writeFile(file, JSON.stringify({ ...plan, pledgeTerms }))
    await operatorsOf(stack).publish(file)
    const { form, submit, pay } = pledgePage(page)
    await submit.click()
    await expect(form).toContainText('The plan has changed. Please review the new terms')
    await expect(form).toContainText('90 days ×1.20')
    await expect(form).toContainText('Plan v2')
    expect(await recordsOf(stack, member)).toEqual([])
    wallet.setMisbehavior('refuses', 'eth_signTypedData_v4', 1)
    await submit.click()
    await expect(pay).toBeVisible()
    expect(await recordsOf(stack, member)).toMatchObject([{ status: 'payment', termWeight: 12_000 }])
  })
})
