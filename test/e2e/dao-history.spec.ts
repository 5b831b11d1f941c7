import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { DataOf } from '@lode/wire'
import type { Locator, Page } from '@playwright/test'
import { callPublicRoute } from '../browser/api-answers.ts'
import { moveClock } from '../browser/clock.ts'
import { signInAgain } from '../browser/member.ts'
import { operatorsOf } from '../browser/operators.ts'
import { expect, test } from '../browser/own-stack.ts'
import { registerPromotedMember } from '../browser/rewards.ts'
import type { BrowserStack } from '../browser/stack.ts'
import { visibleMain } from '../browser/views.ts'
import { newAccount } from '../browser/wallet.ts'

/** Uses its own stack, because it publishes plans and moves the clock. */
test.describe.configure({ mode: 'default' })
test.use({ onlyFor: 'dao-history' })
test.afterEach(({ page }) => page.unrouteAll({ behavior: 'ignoreErrors' }))

const card = (page: Page, title: string): Locator =>
  visibleMain(page)
    .locator('section')
    .filter({ has: page.getByRole('heading', { name: title, exact: true }) })

type Plan = DataOf<'plan/current'>['plan']

/** Both operators publish the current plan with some values changed. */
async function publishPlan(stack: BrowserStack, change: (plan: Plan) => Partial<Plan>): Promise<void> {
  const { plan } = await callPublicRoute(stack, 'plan/current')
  const folder = await mkdtemp(join(tmpdir(), 'lode-plan-'))
  try {
    const file = join(folder, 'plan.json')
    await writeFile(file, JSON.stringify({ ...plan, ...change(plan) }))
    await operatorsOf(stack).publish(file)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

test('a plan published by two operators takes effect, its history lists every changed value, and changes that make leaving harder wait a week', async ({
  page,
  stack,
  register,
  enter,
}) => {
  const member = await register()
  await publishPlan(stack, ({ levels, allocation }) => ({
    levels: levels.map((level, number) => (number === 1 ? { ...level, price: '120' } : level)),
    allocation: { ...allocation, miningFund: 6600, operations: 100 },
    pledgeTerms: [{ days: 30, weight: 10_000 }],
  }))
  await publishPlan(stack, ({ transfer }) => ({
    transfer: { ...transfer, USDT: { ...transfer.USDT, fee: '1.5' } },
  }))

  await enter(member)
  await page.goto('/setting/dao')
  await expect(card(page, 'Version 2')).toContainText('In force since')
  await expect(page.getByRole('table', { name: 'Levels' }).getByRole('row').nth(2)).toContainText('120')
  await expect(card(page, 'Version 3')).toContainText('Upcoming')
  await expect(card(page, 'Version 3')).toContainText('Transfer out of USDT: Fee')
  await expect(card(page, 'Version 3')).toContainText('from 1 USDT to 1.5 USDT')

  await page.getByRole('radio', { name: 'History', exact: true }).check({ force: true })
  await expect(card(page, 'Version 3')).toContainText('It makes leaving harder')
  const second = card(page, 'Version 2')
  await expect(second).toContainText('In force')
  await second.getByText(/^Values changed: \d+$/).click()
  await expect(second).toContainText('L1: Pricefrom 100 USDT to 120 USDT')
  await expect(second).toContainText('Of a promotion payment: Mining fundfrom 65% to 66%')
  await expect(second).toContainText('Of a promotion payment: Operationsfrom 2% to 1%')
  await expect(second).toContainText('Pledge term 4: Factorremoved; it was ×1.50')
  const first = card(page, 'Version 1')
  await expect(first).toContainText('Past')
  await expect(first).toContainText('The first plan of this pool.')
})

test('treasury payments are listed with purpose, amount and address', async ({ page, stack, register, enter }) => {
  const member = await registerPromotedMember(stack, register, { level: 0 })
  await enter(member)
  await page.goto('/setting/dao?show=payments')
  await expect(visibleMain(page)).toContainText('The pool has not paid anything out of its accounts yet.')

  // The mining fund gets money to pay with: the largest part of a promotion.
  await registerPromotedMember(stack, register, { level: 1 })
  const { address } = newAccount()
  const both = async (...words: string[]): Promise<void> => {
    for (const name of ['ada', 'bo'] as const) await operatorsOf(stack).decide(name, 'treasury', ...words)
  }
  await both('address', address, 'The maker of machines')
  await moveClock(stack, 49 * 3_600)
  await both('pay', 'pool:mining', '25.5', address, 'Two machines, invoice 17')

  await enter(await signInAgain(stack, member))
  await expect(async () => {
    expect((await callPublicRoute(stack, 'pool/payments')).items).toHaveLength(1)
  }).toPass({ timeout: 20_000 })
  await page.goto('/setting/dao?show=payments')
  const payment = visibleMain(page).getByRole('listitem').first()
  await expect(payment).toContainText('Two machines, invoice 17')
  await expect(payment).toContainText('25.50 USDT')
  await expect(payment).toContainText('From: mining fund.')
  await expect(payment).toContainText(address)
})
