import type { Page } from '@playwright/test'
import { patchAnswer } from '../browser/api-answers.ts'
import { LONG_TIMEOUT } from '../browser/chain.ts'
import { getAs, type Member, signInAgain, storeSession } from '../browser/member.ts'
import { mockNextDay, scheduled } from '../browser/next-day.ts'
import { expect, test } from '../browser/own-stack.ts'
import {
  formatDay,
  fundDay,
  moveClockToHour,
  pledgePage,
  previewPledge,
  readPoolDay,
  waitUntilDayClosed,
  waitUntilPledgesReturned,
} from '../browser/pledge.ts'
import type { BrowserStack } from '../browser/stack.ts'
import { FUND_PASSWORD, registerDepositor } from '../browser/transfer.ts'

// Uses its own stack, because it moves the clock.
test.describe.configure({ mode: 'default' })
test.use({ onlyFor: 'pledge-production' })
test.afterEach(({ page }) => page.unrouteAll({ behavior: 'ignoreErrors' }))

const TABLE = /\/api\/pool\/days/

const readBalance = async (stack: BrowserStack, member: Member, symbol: 'BTN' | 'BTC') =>
  (await getAs(stack, 'wallet/assets', member)).items.find((item) => item.symbol === symbol)?.balance

/** Signs in again: a session lasts at most 12 hours, and the clock was moved. */
async function signInAndOpen(page: Page, stack: BrowserStack, member: Member, path: string): Promise<Member> {
  const again = await signInAgain(stack, member)
  await storeSession(page, again)
  await page.goto(path)
  return again
}

const seconds = (clock: string): number => clock.split(':').reduce((sum, part) => sum * 60 + Number(part), 0)

test('a pledge earns dividends, which are collected and verified in the browser day by day, and returns its BTN at the end', async ({
  page,
  stack,
  register,
  enter,
  toasts,
}) => {
  let member = await registerDepositor(stack, register, { BTN: '30000' })
  const pledgedOn = await readPoolDay(stack)
  const [begins, ends] = [pledgedOn + 1, pledgedOn + 31]
  await enter(member)
  await previewPledge(page, '20000')
  await expect(pledgePage(page).form).toContainText(formatDay(ends))
  await pledgePage(page).password.fill(FUND_PASSWORD)
  await pledgePage(page).submit.click()
  await expect(pledgePage(page).order).toContainText('Pledged', LONG_TIMEOUT)

  await test.step('a countdown to the next production follows the pool’s clock', async () => {
    await moveClockToHour(stack, begins, 10)
    member = await signInAndOpen(page, stack, member, '/pledge')
    const { main, timer } = pledgePage(page)
    await expect(main).toContainText('20,000 BTN')
    await expect(main.getByRole('img', { name: 'Your share of the network: 100%' })).toBeVisible()
    await expect(main).toContainText('Nothing to collect right now.')
    await expect(timer).toHaveText(/^0[12]:\d\d:\d\d$/)
    const before = seconds((await timer.textContent()) ?? '')
    expect(before).toBeLessThanOrEqual(2 * 3_600)
    await expect.poll(async () => seconds((await timer.textContent()) ?? '')).toBeLessThan(before)
  })

  let funding = ''
  await test.step('the funding is shared out when the day is closed', async () => {
    funding = await fundDay(stack, begins, '0.01')
    await moveClockToHour(stack, begins + 1, 13)
    await waitUntilDayClosed(stack, begins)
    member = await signInAndOpen(page, stack, member, '/pledge')
    const { main, collect } = pledgePage(page)
    await expect(main).toContainText('0.01000000 BTC')
    await expect(main).toContainText('your share of 0.01 BTC')
    await collect.click()
    await expect.poll(() => toasts).toContain('Collected: 0.01\u00a0BTC')
    await expect(main).toContainText('Nothing to collect right now.')
    expect(await readBalance(stack, member, 'BTC')).toBe('0.01')
  })

  await test.step('the line in the log says which days it pays', async () => {
    // The test collects seconds after the close, as hardly any member does; then the days are not named.
    await patchAnswer(page, 'pool/days', (data) => ({
      ...data,
      items: data.items.map((one) => ({
        ...one,
        closedAt: new Date(Date.parse(one.closedAt) - 60_000).toISOString(),
      })),
    }))
    await page.goto('/wallet/detail?symbol=BTC')
    await page.getByRole('button', { name: /^Pledge dividend/ }).click()
    const sheet = page.getByRole('dialog', { name: 'Pledge dividend' })
    await expect(sheet).toContainText(`Days (UTC)${formatDay(begins)}Time`)
    await sheet.getByRole('link', { name: 'See the dividend of each day' }).click()
    await expect(page).toHaveURL('/pledge/detail?show=days')
    await page.unrouteAll({ behavior: 'ignoreErrors' })
  })

  await test.step('collecting again in another tab says that nothing is left', async () => {
    await patchAnswer(page, 'pledge/overview', (data) => ({ ...data, produced: '0.01' }))
    await page.goto('/pledge')
    await pledgePage(page).collect.click()
    await expect.poll(() => toasts).toContain('There is nothing to collect right now.')
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    expect(await readBalance(stack, member, 'BTC')).toBe('0.01')
  })

  await test.step('the browser recomputes each day from the public table, including days without production', async () => {
    await moveClockToHour(stack, begins + 2, 13)
    await waitUntilDayClosed(stack, begins + 1)
    member = await signInAndOpen(page, stack, member, '/pledge/detail?show=days')
    const { main, day } = pledgePage(page)
    await expect(main).toContainText('all 3 days shown match')
    await expect(day(formatDay(begins))).toContainText('0.01000000 BTC')
    await expect(day(formatDay(begins))).toContainText('Checked')
    await expect(day(formatDay(begins))).toContainText('0.01 × 20,000 ÷ 20,000 ≈ 0.01\u00a0BTC')
    await expect(day(formatDay(begins))).toContainText('Your effective pledge 20,000 of 20,000 · 100%')
    await expect(day(formatDay(begins)).getByRole('link')).toHaveAttribute(
      'href',
      `https://explorer.example/tx/${funding}`,
    )
    await expect(day(formatDay(begins + 1))).toContainText('No BTC came in for this day.')
    await expect(day(formatDay(begins + 1))).toContainText('Checked')
    await expect(day(formatDay(pledgedOn))).toContainText('You had no active pledge.')
    await page.getByText('Figures of these days').click()
    const bars = page.getByRole('table', { name: 'Productions' }).getByRole('row')
    await expect(bars).toHaveCount(4)
    await expect(bars.nth(2)).toContainText('0.01 BTC')
    await expect(bars.nth(3)).toContainText(`${formatDay(begins + 1)}0 BTC`)
    await expect(main).toContainText('2 without production')
  })

  for (const letter of ['A', 'q', 'R', 'S', 'F'] as const)
    await test.step(`with one byte of ${letter} in the table changed, the day does not match`, async () => {
      await page.route(TABLE, async (route) => {
        const body = await (await route.fetch()).json()
        for (const row of body.data.items)
          if (row.day === begins)
            row[letter] = row[letter].replace(/[0-9]$/, (digit: string) => String((Number(digit) + 1) % 10))
        await route.fulfill({ json: body })
      })
      await page.reload()
      const { main, day } = pledgePage(page)
      await expect(main).toContainText(/of the 3 days shown do(es)? not match/)
      await expect(day(formatDay(begins))).toContainText('Does not match')
      await page.unrouteAll({ behavior: 'ignoreErrors' })
    })

  await test.step('a member’s amount that is too low does not match either', async () => {
    await patchAnswer(page, 'pledge/days', (data) => ({
      ...data,
      items: data.items.map((line) => (line.day === begins ? { ...line, amount: '0.00999999' } : line)),
    }))
    await page.reload()
    await expect(pledgePage(page).day(formatDay(begins))).toContainText(
      'the pool says 0.00999999 BTC; the table gives 0.01 BTC',
    )
    await page.unrouteAll({ behavior: 'ignoreErrors' })
  })

  await test.step('at the end the BTN is returned and the remaining dividend is paid automatically', async () => {
    await moveClockToHour(stack, ends - 1, 13)
    await waitUntilDayClosed(stack, ends - 2)
    await fundDay(stack, ends - 1, '0.02')
    await moveClockToHour(stack, ends, 1)
    member = await signInAgain(stack, member)
    await waitUntilPledgesReturned(stack, member)
    await storeSession(page, member)
    await page.goto('/pledge/detail')
    const { records, main } = pledgePage(page)
    await expect(records).toContainText('Closed')
    await expect(records).toContainText('Day 30 of 30')
    await expect(records).toContainText('20,000 BTN returned to your balance on')
    await expect(records).toContainText('The rest of the dividend follows')
    expect(await readBalance(stack, member, 'BTN')).toBe('30000')

    await moveClockToHour(stack, ends, 13)
    await waitUntilDayClosed(stack, ends - 1)
    member = await signInAgain(stack, member)
    await expect.poll(() => readBalance(stack, member, 'BTC'), LONG_TIMEOUT).toBe('0.03')
    await storeSession(page, member)
    await page.goto('/pledge/detail')
    await expect(records).toContainText('0.03000000 BTC')
    await expect(records).not.toContainText('The rest of the dividend follows')
    await page.getByRole('radio', { name: 'Days' }).check()
    await expect(main).toContainText('all 30 days shown match')
    await main.getByText('Lode shows the Bitcoin transaction').scrollIntoViewIfNeeded()
    await expect(main).toContainText('all 31 days shown match', LONG_TIMEOUT)
    const { lines } = await getAs(stack, 'wallet/log', member, { symbol: 'BTC' })
    expect(lines.map(({ type }) => type)).toEqual(['pointReward', 'pointReward'])
  })
})

test('a day that waits shows the reason', async ({ page, register, enter }) => {
  await enter(await register())
  const until = new Date(Date.now() + 48 * 3_600_000).toISOString()
  let state: 'waiting-chain' | 'waiting-operators' | 'due' = 'waiting-chain'
  await mockNextDay(page, (data) => ({
    ...scheduled(data),
    state,
    until: state === 'waiting-operators' ? until : null,
  }))
  const { main, timer } = pledgePage(page)
  await page.clock.install()
  await page.goto('/pledge')
  await expect(main).toContainText('waiting for the chain')
  await expect(timer).toHaveCount(0)
  state = 'due'
  await page.clock.runFor(25_000)
  await expect(main).toContainText('closing now', LONG_TIMEOUT)
  state = 'waiting-operators'
  await page.clock.runFor(25_000)
  await expect(main).toContainText('waiting for operators', LONG_TIMEOUT)
  await expect(main).toContainText('Two operators review it until')
})

test('the countdown stays right if the device’s clock is set anew', async ({ page, register, enter }) => {
  await enter(await register())
  await mockNextDay(page, scheduled)
  await page.clock.install()
  for (const path of ['/home', '/pledge']) {
    await page.goto(path)
    const timer = page.locator('main:visible').getByRole('timer')
    await expect(timer).toHaveText(/^06:1[34]:/)
    for (const hours of [3, -5]) {
      await page.clock.setSystemTime(Date.now() + hours * 3_600_000)
      await page.clock.runFor(2_000)
      await expect(timer, `${path}, ${hours} hours`).toHaveText(/^06:1[34]:/)
    }
    await page.clock.setSystemTime(Date.now())
  }
})

test('a next production that cannot be read is told as such, and shown once it can be read', async ({
  page,
  register,
  enter,
}) => {
  await enter(await register())
  await mockNextDay(page, scheduled)
  await page.clock.install()
  for (const path of ['/home', '/pledge']) {
    await page.route(/pool\/next-day/, (route) => route.fulfill({ status: 500, json: {} }))
    await page.goto(path)
    const main = page.locator('main:visible')
    await expect(main).toContainText('The time of the next production could not be loaded. The app keeps trying.')
    await page.unroute(/pool\/next-day/)
    await mockNextDay(page, scheduled)
    await page.clock.runFor(25_000)
    await expect(main.getByRole('timer')).toHaveText(/^06:1/)
    await expect(main).not.toContainText('could not be loaded')
  }
})
