import { type Asset, assets } from '@lode/kernel'
import type { Page } from '@playwright/test'
import { parseUnits } from 'viem'
import { inEveryLanguage } from '../browser/appearance.ts'
import { moveClock } from '../browser/clock.ts'
import { coinsOf, decimals, makeFinal } from '../browser/coins.ts'
import { type Member, promoted, signedInAgain, tellFor } from '../browser/member.ts'
import { operatorsOf } from '../browser/operators.ts'
import { expect, test as own } from '../browser/own-stack.ts'
import type { BrowserStack } from '../browser/stack.ts'
import { memberWhoDeposited, order, PASSWORD, transfer } from '../browser/transfer.ts'

const test = own.extend<{ operators: ReturnType<typeof operatorsOf> }>({
  operators: ({ stack }, use) => use(operatorsOf(stack)),
})

test.describe.configure({ timeout: 60_000 })
test.use({ onlyFor: 'transfer-paid' })
test.afterEach(({ page }) => page.unrouteAll({ behavior: 'ignoreErrors' }))

const PATIENT = { timeout: 20_000 }

const sizes = {
  USDT: { deposited: '100', sent: '25.5', left: '73.5' },
  BTN: { deposited: '5000', sent: '1000.000000000000000001', left: '3899.999999999999999999' },
  BTC: { deposited: '0.01', sent: '0.001', left: '0.00895' },
} as const satisfies Record<Asset, unknown>

for (const symbol of assets)
  test(`a transfer of ${symbol} arrives in the member’s wallet, and its page follows it there by itself`, async ({
    page,
    stack,
    register,
    enter,
  }) => {
    const { deposited, sent, left } = sizes[symbol]
    const member = await memberWhoDeposited(stack, register, { [symbol]: deposited })
    await enter(member)
    await order(page, symbol, sent)
    const { main, standing, step } = transfer(page)
    await expect(standing('Confirming')).toBeVisible(PATIENT)
    await expect(step('Confirming')).toContainText('usually final in about a minute. You can leave this page.')
    await expect(transfer(page).cancel).toHaveCount(0)
    expect(await coinsOf(stack, symbol, member.account.address)).toBe(parseUnits(sent, decimals[symbol]))
    await expect(step('Sent')).toBeVisible()
    await makeFinal(stack)
    await expect(standing('Arrived')).toBeVisible(PATIENT)
    await expect(main).toContainText('arrived in full')
    await expect(main.getByRole('link', { name: /on the explorer/ })).toHaveAttribute(
      'href',
      /^https:\/\/explorer\.example\/tx\/0x[0-9a-f]{64}$/,
    )

    await page.goto(`/wallet/detail?symbol=${symbol}`)
    const line = page.locator('main:visible').getByRole('listitem').first()
    await expect(line).toContainText('Transfer out')
    await expect(line).toContainText('Confirmed')
    await page.goto(`/setting/transfer?symbol=${symbol}`)
    await page
      .getByText(`Available: ${Number(left.split('.')[0]).toLocaleString('en')}.${left.split('.')[1]}`)
      .waitFor()
  })

test('a pause is announced with its end, takes requests all the same, and lets them go out when it is over', async ({
  page,
  stack,
  operators,
  register,
  enter,
}) => {
  const member = await memberWhoDeposited(stack, register, { USDT: '100' })
  await operators.decide('ada', 'transfer', 'pause', '5', 'looking into something')
  await enter(member)
  await page.goto('/setting/transfer')
  await expect(page.getByText(/Payouts are paused for another (5 h 0 min|4 h 59 min), until/)).toBeVisible()
  const id = await order(page, 'USDT', '25')
  const { standing, step } = transfer(page)
  await expect(standing('Queued')).toBeVisible()
  await expect(step('Queued')).toContainText(/Payouts are paused until .*\. It goes out by itself afterwards\./)
  await expectPaidAfter(6, page, { stack, enter, member, id })
})

test('a transfer that waits for longer than usual says so and what it waits for, and goes out when two operators resume', async ({
  page,
  stack,
  operators,
  register,
  enter,
}) => {
  const member = await memberWhoDeposited(stack, register, { USDT: '100' })
  await operators.decide('ada', 'transfer', 'pause', '5', 'looking into something')
  await enter(member)
  await order(page, 'USDT', '25')
  const { standing, step } = transfer(page)
  await expect(standing('Queued')).toBeVisible()
  await expect(step('Queued')).not.toContainText('longer than usual')
  await moveClock(stack, 11 * 60)
  await expect(standing('Delayed')).toBeVisible(PATIENT)
  await expect(step('Queued')).toContainText(/Payouts are paused until .*\. It goes out by itself afterwards\./)
  await inEveryLanguage(page, {
    en: 'This takes longer than usual.',
    zh_tw: '這筆轉出比平常慢。',
    zh_cn: '这笔转出比平时慢。',
  })
  for (const name of ['ada', 'bo'] as const) await operators.decide(name, 'transfer', 'resume', 'all is well')
  await moveClock(stack, 60)
  await expect(standing('Confirming')).toBeVisible(PATIENT)
})

test('a large transfer goes out as soon as an operator approves it', async ({
  page,
  stack,
  operators,
  register,
  enter,
}) => {
  const member = await memberWhoDeposited(stack, register, { USDT: '7000' })
  await promoted(stack, member, 5)
  await enter(member)
  const id = await order(page, 'USDT', '6000')
  await expect(transfer(page).standing('In review')).toBeVisible()
  await operators.decide('bo', 'transfer', 'approve', id)
  await expect(transfer(page).standing('Confirming')).toBeVisible(PATIENT)
})

test('a large transfer is reviewed, and one that the operators reject says why and gives all of it back', async ({
  page,
  stack,
  operators,
  register,
  enter,
}) => {
  const member = await memberWhoDeposited(stack, register, { USDT: '7000' })
  await promoted(stack, member, 5)
  await enter(member)
  const id = await order(page, 'USDT', '6000')
  const { main, standing, step } = transfer(page)
  await expect(standing('In review')).toBeVisible()
  await expect(step('In review')).toContainText('Review of a large transfer')
  await expect(step('In review')).toContainText(/at the latest in (3 d 0 h|71 h 59 min)/)
  await operators.decide('bo', 'transfer', 'reject', id, 'This address was reported to us as stolen.')
  await expect(standing('Rejected')).toBeVisible(PATIENT)
  await expect(step('Rejected by the operators')).toContainText('“This address was reported to us as stolen.”')
  await expect(main).toContainText('not paid out; 6,001 USDT is available again')
  await page.goto('/setting/transfer')
  await expect(page.getByText('Available: 7,000 USDT')).toBeVisible()
})

test('a hold ends with its time, and the transfer goes out with nobody there', async ({
  page,
  stack,
  register,
  enter,
}) => {
  const member = await memberWhoDeposited(stack, register, { USDT: '100' })
  await tellFor(stack, 'account/transfer-lock', member, { days: 1, password: PASSWORD })
  await enter(member)
  const id = await order(page, 'USDT', '25')
  await expect(transfer(page).standing('Held')).toBeVisible()
  await expect(transfer(page).step('Held')).toContainText(/ends in (24 h 0 min|23 h 59 min)/)
  await expectPaidAfter(25, page, { stack, enter, member, id })
})

type Waiting = { stack: BrowserStack; enter: (member: Member) => Promise<void>; member: Member; id: string }

/**
 * Moves the clock by this many hours, with no page open, and continues in a new session, because the old one has ended.
 */
async function expectPaidAfter(hours: number, page: Page, { stack, enter, member, id }: Waiting): Promise<void> {
  await page.goto('about:blank')
  await moveClock(stack, hours * 3_600)
  await enter(await signedInAgain(stack, member))
  await page.goto(`/setting/transfer?id=${id}`)
  await expect(transfer(page).standing('Confirming')).toBeVisible(PATIENT)
  await makeFinal(stack)
  await expect(transfer(page).standing('Arrived')).toBeVisible(PATIENT)
}
