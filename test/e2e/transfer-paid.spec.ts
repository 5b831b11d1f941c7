import { type Asset, assets } from '@lode/kernel'
import type { Page } from '@playwright/test'
import { parseUnits } from 'viem'
import { expectInEveryLanguage } from '../browser/appearance.ts'
import { decimals, LONG_TIMEOUT, makeFinal, readBalance } from '../browser/chain.ts'
import { moveClock } from '../browser/clock.ts'
import { type Member, postAs, setLevel, signInAgain } from '../browser/member.ts'
import { operatorsOf } from '../browser/operators.ts'
import { expect, test as own } from '../browser/own-stack.ts'
import type { BrowserStack } from '../browser/stack.ts'
import { FUND_PASSWORD, makeTransfer, registerDepositor, transferPage } from '../browser/transfer.ts'

const test = own.extend<{ operators: ReturnType<typeof operatorsOf> }>({
  operators: ({ stack }, use) => use(operatorsOf(stack)),
})

test.use({ onlyFor: 'transfer-paid' })
test.afterEach(({ page }) => page.unrouteAll({ behavior: 'ignoreErrors' }))

const sizes = {
  USDT: { deposited: '100', sent: '25.5', left: '73.5' },
  BTN: { deposited: '5000', sent: '1000.000000000000000001', left: '3899.999999999999999999' },
  BTC: { deposited: '0.01', sent: '0.001', left: '0.00895' },
} as const satisfies Record<Asset, unknown>

for (const symbol of assets)
  test(`a transfer of ${symbol} arrives in the member’s wallet, and its page updates automatically`, async ({
    page,
    stack,
    register,
    enter,
  }) => {
    const { deposited, sent, left } = sizes[symbol]
    const member = await registerDepositor(stack, register, { [symbol]: deposited })
    await enter(member)
    await makeTransfer(page, symbol, sent)
    const { main, state, step } = transferPage(page)
    await expect(state('Confirming')).toBeVisible(LONG_TIMEOUT)
    await expect(step('In a block')).toContainText('usually final in about a minute. You can leave this page.')
    await expect(transferPage(page).cancel).toHaveCount(0)
    expect(await readBalance(stack, symbol, member.account.address)).toBe(parseUnits(sent, decimals[symbol]))
    await expect(step('Sent')).toBeVisible()
    await makeFinal(stack)
    await expect(state('Arrived')).toBeVisible(LONG_TIMEOUT)
    await expect(main).toContainText('arrived in full')
    await expect(main.getByRole('link', { name: /on the explorer/ })).toHaveAttribute(
      'href',
      /^https:\/\/explorer\.example\/tx\/0x[0-9a-f]{64}$/,
    )

    await page.goto('/setting/transfer?show=records')
    await expect(main.locator('dl')).toHaveText('All transfers1Arrived1')
    await page.goto(`/wallet/detail?symbol=${symbol}`)
    const line = page.locator('main:visible').getByRole('listitem').first()
    await expect(line).toContainText('Transfer out')
    await expect(line).toContainText('Confirmed')
    await page.goto(`/setting/transfer?symbol=${symbol}`)
    await page
      .getByText(`Available: ${Number(left.split('.')[0]).toLocaleString('en')}.${left.split('.')[1]}`)
      .waitFor()
  })

test('during a payout pause its end is shown, transfers can be requested, and they are paid when it ends', async ({
  page,
  stack,
  operators,
  register,
  enter,
}) => {
  const member = await registerDepositor(stack, register, { USDT: '100' })
  await operators.decide('ada', 'transfer', 'pause', '5', 'looking into something')
  await enter(member)
  await page.goto('/setting/transfer')
  await expect(page.getByText(/Payouts are paused for another (5 h 0 min|4 h 59 min), until/)).toBeVisible()
  const id = await makeTransfer(page, 'USDT', '25')
  const { state, step } = transferPage(page)
  await expect(state('Queued')).toBeVisible()
  await expect(step('Queued')).toContainText(/Payouts are paused until .*\. It goes out automatically afterwards\./)
  await expectPaidAfter(6, page, { stack, enter, member, id })
})

test('a late transfer shows the reason, and is paid when two operators resume payouts', async ({
  page,
  stack,
  operators,
  register,
  enter,
}) => {
  const member = await registerDepositor(stack, register, { USDT: '100' })
  await operators.decide('ada', 'transfer', 'pause', '5', 'looking into something')
  await enter(member)
  await makeTransfer(page, 'USDT', '25')
  const { state, step } = transferPage(page)
  await expect(state('Queued')).toBeVisible()
  await expect(step('Queued')).not.toContainText('longer than usual')
  await moveClock(stack, 11 * 60)
  await expect(state('Delayed')).toBeVisible(LONG_TIMEOUT)
  await expect(step('Queued')).toContainText(/Payouts are paused until .*\. It goes out automatically afterwards\./)
  await expectInEveryLanguage(page, {
    en: 'This is taking longer than usual.',
    zh_tw: '這筆轉出比平常慢。',
    zh_cn: '这笔转出比平时慢。',
  })
  for (const name of ['ada', 'bo'] as const) await operators.decide(name, 'transfer', 'resume', 'all is well')
  await moveClock(stack, 60)
  await expect(state('Confirming')).toBeVisible(LONG_TIMEOUT)
})

test('a large transfer is paid as soon as an operator approves it', async ({
  page,
  stack,
  operators,
  register,
  enter,
}) => {
  const member = await registerDepositor(stack, register, { USDT: '7000' })
  await setLevel(stack, member, 5)
  await enter(member)
  const id = await makeTransfer(page, 'USDT', '6000')
  await expect(transferPage(page).state('In review')).toBeVisible()
  await operators.decide('bo', 'transfer', 'approve', id)
  await expect(transferPage(page).state('Confirming')).toBeVisible(LONG_TIMEOUT)
})

test('a rejected large transfer shows the reason, and the full amount is available again', async ({
  page,
  stack,
  operators,
  register,
  enter,
}) => {
  const member = await registerDepositor(stack, register, { USDT: '7000' })
  await setLevel(stack, member, 5)
  await enter(member)
  const id = await makeTransfer(page, 'USDT', '6000')
  const { main, state, step } = transferPage(page)
  await expect(state('In review')).toBeVisible()
  await expect(step('In review')).toContainText('Review of a large transfer')
  await expect(step('In review')).toContainText(/at the latest in (3 d 0 h|71 h 59 min)/)
  await operators.decide('bo', 'transfer', 'reject', id, 'This address was reported to us as stolen.')
  await expect(state('Rejected')).toBeVisible(LONG_TIMEOUT)
  await expect(step('Rejected by the operators')).toContainText('“This address was reported to us as stolen.”')
  await expect(main).toContainText('not paid out; 6,001 USDT is available again')
  await page.goto('/setting/transfer')
  await expect(page.getByText('Available: 7,000 USDT')).toBeVisible()
})

test('a hold ends after its time, and the transfer is paid without any action', async ({
  page,
  stack,
  register,
  enter,
}) => {
  const member = await registerDepositor(stack, register, { USDT: '100' })
  await postAs(stack, 'account/transfer-lock', member, { days: 1, password: FUND_PASSWORD })
  await enter(member)
  const id = await makeTransfer(page, 'USDT', '25')
  await expect(transferPage(page).state('Held')).toBeVisible()
  await expect(transferPage(page).step('Held')).toContainText(/ends in (24 h 0 min|23 h 59 min)/)
  await expectPaidAfter(25, page, { stack, enter, member, id })
})

type WaitingTransfer = { stack: BrowserStack; enter: (member: Member) => Promise<void>; member: Member; id: string }

/**
 * Moves the clock by this many hours, with no page open, and continues in a new session, because the old one has ended.
 */
async function expectPaidAfter(
  hours: number,
  page: Page,
  { stack, enter, member, id }: WaitingTransfer,
): Promise<void> {
  await page.goto('about:blank')
  await moveClock(stack, hours * 3_600)
  await enter(await signInAgain(stack, member))
  await page.goto(`/setting/transfer?id=${id}`)
  await expect(transferPage(page).state('Confirming')).toBeVisible(LONG_TIMEOUT)
  await makeFinal(stack)
  await expect(transferPage(page).state('Arrived')).toBeVisible(LONG_TIMEOUT)
}
