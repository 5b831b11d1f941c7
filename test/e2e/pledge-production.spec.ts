import type { Page } from '@playwright/test'
import { asIfAnswered } from '../browser/answers.ts'
import { askFor, type Member, signedIn, signedInAgain } from '../browser/member.ts'
import { expect, test } from '../browser/own-stack.ts'
import { closedUpTo, dateOf, fundDay, moveTo, pledging, previewPledge, returned, todayOf } from '../browser/pledge.ts'
import type { BrowserStack } from '../browser/stack.ts'
import { memberWhoDeposited, PASSWORD } from '../browser/transfer.ts'

// Uses its own stack, because it moves the clock.
test.describe.configure({ mode: 'default', timeout: 180_000 })
test.use({ onlyFor: 'pledge-production' })
test.afterEach(({ page }) => page.unrouteAll({ behavior: 'ignoreErrors' }))

const PATIENT = { timeout: 15_000 }
const TABLE = /\/api\/pool\/days/

const balanceOf = async (stack: BrowserStack, member: Member, symbol: 'BTN' | 'BTC') =>
  (await askFor(stack, 'wallet/assets', member)).items.find((item) => item.symbol === symbol)?.balance

/** Signs in again: a session lasts at most 12 hours, and the clock was moved. */
async function openAgain(page: Page, stack: BrowserStack, member: Member, path: string): Promise<Member> {
  const again = await signedInAgain(stack, member)
  await signedIn(page, again)
  await page.goto(path)
  return again
}

const seconds = (clock: string): number => clock.split(':').reduce((sum, part) => sum * 60 + Number(part), 0)

test('a pledge produces, is collected, checked by the browser day by day, and ends with its BTN back', async ({
  page,
  stack,
  register,
  enter,
  toasts,
}) => {
  let member = await memberWhoDeposited(stack, register, { BTN: '30000' })
  const pledgedOn = await todayOf(stack)
  const [begins, ends] = [pledgedOn + 1, pledgedOn + 31]
  await enter(member)
  await previewPledge(page, '20000')
  await expect(pledging(page).form).toContainText(dateOf(ends))
  await pledging(page).password.fill(PASSWORD)
  await pledging(page).submit.click()
  await expect(pledging(page).order).toContainText('Pledged', PATIENT)

  await test.step('the next production is counted down to, by the pool’s clock', async () => {
    await moveTo(stack, begins, 10)
    member = await openAgain(page, stack, member, '/pledge')
    const { main, timer } = pledging(page)
    await expect(main).toContainText('20,000 BTN')
    await expect(main.getByRole('img', { name: 'Your share of the network: 100%' })).toBeVisible()
    await expect(main).toContainText('Nothing to collect at the moment.')
    await expect(timer).toHaveText(/^0[12]:\d\d:\d\d$/)
    const before = seconds((await timer.textContent()) ?? '')
    expect(before).toBeLessThanOrEqual(2 * 3_600)
    await expect.poll(async () => seconds((await timer.textContent()) ?? '')).toBeLessThan(before)
  })

  let funding = ''
  await test.step('what was funded is shared out when the day is over', async () => {
    funding = await fundDay(stack, begins, '0.01')
    await moveTo(stack, begins + 1, 13)
    await closedUpTo(stack, begins)
    member = await openAgain(page, stack, member, '/pledge')
    const { main, collect } = pledging(page)
    await expect(main).toContainText('0.01000000 BTC')
    await expect(main).toContainText('yours, of 0.01 BTC shared out')
    await collect.click()
    await expect.poll(() => toasts).toContain('Collected: 0.01\u00a0BTC')
    await expect(main).toContainText('Nothing to collect at the moment.')
    expect(await balanceOf(stack, member, 'BTC')).toBe('0.01')
  })

  await test.step('another tab that still shows it is told that nothing is left', async () => {
    await asIfAnswered(page, 'pledge/overview', (data) => ({ ...data, produced: '0.01' }))
    await page.goto('/pledge')
    await pledging(page).collect.click()
    await expect.poll(() => toasts).toContain('There is no production to collect at the moment.')
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    expect(await balanceOf(stack, member, 'BTC')).toBe('0.01')
  })

  await test.step('each day is reckoned again from the public table, days without production too', async () => {
    await moveTo(stack, begins + 2, 13)
    await closedUpTo(stack, begins + 1)
    member = await openAgain(page, stack, member, '/pledge/detail?show=days')
    const { main, day } = pledging(page)
    await expect(main).toContainText('all 3 days shown match')
    await expect(day(dateOf(begins))).toContainText('0.01000000 BTC')
    await expect(day(dateOf(begins))).toContainText('Checked')
    await expect(day(dateOf(begins))).toContainText('Your weight 20,000 of 20,000 · 100%')
    await expect(day(dateOf(begins)).getByRole('link')).toHaveAttribute(
      'href',
      `https://explorer.example/tx/${funding}`,
    )
    await expect(day(dateOf(begins + 1))).toContainText('No BTC came in for this day.')
    await expect(day(dateOf(begins + 1))).toContainText('Checked')
    await expect(day(dateOf(pledgedOn))).toContainText('None of your pledges ran.')
    const bars = page.getByRole('table', { name: 'Productions' }).getByRole('row')
    await expect(bars).toHaveCount(4)
    await expect(bars.nth(2)).toContainText('0.01 BTC')
    await expect(bars.nth(3)).toContainText(`${dateOf(begins + 1)}0 BTC`)
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
      const { main, day } = pledging(page)
      await expect(main).toContainText(/of the 3 days shown do(es)? not match/)
      await expect(day(dateOf(begins))).toContainText('Does not match')
      await page.unrouteAll({ behavior: 'ignoreErrors' })
    })

  await test.step('a line that the pool tells too low does not match either', async () => {
    await asIfAnswered(page, 'pledge/days', (data) => ({
      ...data,
      items: data.items.map((line) => (line.day === begins ? { ...line, amount: '0.00999999' } : line)),
    }))
    await page.reload()
    await expect(pledging(page).day(dateOf(begins))).toContainText(
      'the pool says 0.00999999 BTC; the table gives 0.01 BTC',
    )
    await page.unrouteAll({ behavior: 'ignoreErrors' })
  })

  await test.step('at the end the BTN are back and the rest of the dividend follows by itself', async () => {
    await moveTo(stack, ends - 1, 13)
    await closedUpTo(stack, ends - 2)
    await fundDay(stack, ends - 1, '0.02')
    await moveTo(stack, ends, 1)
    member = await signedInAgain(stack, member)
    await returned(stack, member)
    await signedIn(page, member)
    await page.goto('/pledge/detail')
    const { records, main } = pledging(page)
    await expect(records).toContainText('Closed')
    await expect(records).toContainText('Day 30 of 30')
    await expect(records).toContainText('20,000 BTN back in the balance since')
    await expect(records).toContainText('The rest of the dividend follows')
    expect(await balanceOf(stack, member, 'BTN')).toBe('30000')

    await moveTo(stack, ends, 13)
    await closedUpTo(stack, ends - 1)
    member = await signedInAgain(stack, member)
    await expect.poll(() => balanceOf(stack, member, 'BTC'), PATIENT).toBe('0.03')
    await signedIn(page, member)
    await page.goto('/pledge/detail')
    await expect(records).toContainText('0.03000000 BTC')
    await expect(records).not.toContainText('The rest of the dividend follows')
    await page.getByRole('radio', { name: 'Days' }).check()
    await expect(main).toContainText('all 30 days shown match')
    await main.getByText('Lode shows the Bitcoin transaction').scrollIntoViewIfNeeded()
    await expect(main).toContainText('all 31 days shown match', PATIENT)
    const { lines } = await askFor(stack, 'wallet/log', member, { symbol: 'BTC' })
    expect(lines.map(({ type }) => type)).toEqual(['pointReward', 'pointReward'])
  })
})

test('a day that waits says for what', async ({ page, register, enter }) => {
  await enter(await register())
  const until = new Date(Date.now() + 48 * 3_600_000).toISOString()
  let state: 'waiting-chain' | 'waiting-operators' | 'due' = 'waiting-chain'
  await asIfAnswered(page, 'pledge/overview', (data) => ({
    ...data,
    next: data.next && { ...data.next, state, until: state === 'waiting-operators' ? until : null },
  }))
  const { main, timer } = pledging(page)
  await page.goto('/pledge')
  await expect(main).toContainText('waiting for the chain')
  await expect(timer).toHaveCount(0)
  state = 'due'
  await expect(main).toContainText('closing now', PATIENT)
  state = 'waiting-operators'
  await expect(main).toContainText('waiting for operators', PATIENT)
  await expect(main).toContainText('Two operators look at it, until')
})
