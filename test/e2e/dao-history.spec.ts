import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { DataOf } from '@lode/wire'
import type { Locator, Page } from '@playwright/test'
import { askOpenly } from '../browser/answers.ts'
import { moveClock } from '../browser/clock.ts'
import { signedInAgain } from '../browser/member.ts'
import { operatorsOf } from '../browser/operators.ts'
import { expect, test } from '../browser/own-stack.ts'
import { promotedMember } from '../browser/rewards.ts'
import type { BrowserStack } from '../browser/stack.ts'
import { newAccount } from '../browser/wallet.ts'

/** Uses its own stack, because it publishes plans and moves the clock. */
test.describe.configure({ mode: 'default', timeout: 90_000 })
test.use({ onlyFor: 'dao-history' })
test.afterEach(({ page }) => page.unrouteAll({ behavior: 'ignoreErrors' }))

const shown = (page: Page): Locator => page.locator('main:visible')
const card = (page: Page, title: string): Locator =>
  shown(page)
    .locator('section')
    .filter({ has: page.getByRole('heading', { name: title, exact: true }) })

type Plan = DataOf<'plan/current'>['plan']

/** Both operators publish the current plan with some values changed. */
async function publish(stack: BrowserStack, change: (plan: Plan) => Partial<Plan>): Promise<void> {
  const { plan } = await askOpenly(stack, 'plan/current')
  const folder = await mkdtemp(join(tmpdir(), 'lode-plan-'))
  try {
    const file = join(folder, 'plan.json')
    await writeFile(file, JSON.stringify({ ...plan, ...change(plan) }))
    await operatorsOf(stack).publish(file)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

test('what two operators publish is in force, its history tells value by value what changed, and what makes leaving harder waits a week', async ({
  page,
  stack,
  register,
  enter,
}) => {
  const member = await register()
  await publish(stack, ({ levels, allocation }) => ({
    levels: levels.map((level, number) => (number === 1 ? { ...level, price: '120' } : level)),
    allocation: { ...allocation, miningFund: 6600, operations: 100 },
    pledgeTerms: [{ days: 30, weight: 10_000 }],
  }))
  await publish(stack, ({ transfer }) => ({
    transfer: { ...transfer, USDT: { ...transfer.USDT, fee: '1.5' } },
  }))

  await enter(member)
  await page.goto('/setting/dao')
  await expect(card(page, 'Version 2')).toContainText('In force since')
  await expect(page.getByRole('table', { name: 'Levels' }).getByRole('row').nth(2)).toContainText('120')
  await expect(card(page, 'Version 3')).toContainText('To come')
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
  await expect(second).toContainText('Pledge term 4: Weightno longer there; it was ×1.50')
  const first = card(page, 'Version 1')
  await expect(first).toContainText('Past')
  await expect(first).toContainText('The first plan of this pool.')
})

test('what the pool paid from its own accounts is listed with its purpose, amount and address', async ({
  page,
  stack,
  register,
  enter,
}) => {
  const member = await promotedMember(stack, register, { level: 0 })
  await enter(member)
  await page.goto('/setting/dao?show=payments')
  await expect(shown(page)).toContainText('The pool’s accounts have paid nothing out yet.')

  // The mining fund gets money to pay with: the largest part of a promotion.
  await promotedMember(stack, register, { level: 1 })
  const { address } = newAccount()
  const both = async (...words: string[]): Promise<void> => {
    for (const name of ['ada', 'bo'] as const) await operatorsOf(stack).decide(name, 'treasury', ...words)
  }
  await both('address', address, 'The maker of machines')
  await moveClock(stack, 49 * 3_600)
  await both('pay', 'pool:mining', '25.5', address, 'Two machines, invoice 17')

  await enter(await signedInAgain(stack, member))
  await expect(async () => {
    expect((await askOpenly(stack, 'pool/payments')).items).toHaveLength(1)
  }).toPass({ timeout: 20_000 })
  await page.goto('/setting/dao?show=payments')
  const payment = shown(page).getByRole('listitem').first()
  await expect(payment).toContainText('Two machines, invoice 17')
  await expect(payment).toContainText('25.50 USDT')
  await expect(payment).toContainText('From: mining fund.')
  await expect(payment).toContainText(`${address.slice(0, 6)}…${address.slice(-4)}`)
})
