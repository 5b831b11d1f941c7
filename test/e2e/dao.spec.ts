import type { Locator, Page } from '@playwright/test'
import { patchAnswer } from '../browser/api-answers.ts'
import { getAs, type Member, postAs } from '../browser/member.ts'
import { operatorsOf } from '../browser/operators.ts'
import { registerPromotedMember } from '../browser/rewards.ts'
import type { BrowserStack } from '../browser/stack.ts'
import { createTeam } from '../browser/team.ts'
import { expect, test } from '../browser/test.ts'
import { visibleMain } from '../browser/views.ts'

const card = (page: Page, title: string): Locator =>
  visibleMain(page)
    .locator('section')
    .filter({ has: page.getByRole('heading', { name: title, exact: true }) })
/** The rows of the table's body, each with its name and its figures. */
const readTableRows = (table: Locator): Promise<(string | null)[][]> =>
  table
    .locator('tbody tr')
    .evaluateAll((rows) => rows.map((row) => Array.from(row.children, ({ textContent }) => textContent)))
const selectTab = (page: Page, part: string): Promise<void> =>
  page.getByRole('radio', { name: part, exact: true }).check({ force: true })

// The app refreshes its data by itself, and a request may be open when the test ends.
test.afterEach(({ page }) => page.unrouteAll({ behavior: 'ignoreErrors' }))

test.describe('the plan', () => {
  test('is shown with every value and its start date, and promises no return', async ({ page, register, enter }) => {
    await enter(await register())
    await page.goto('/setting')
    await page.getByRole('link', { name: 'Pool and plan' }).click()
    await expect(page).toHaveURL('/setting/dao')
    await expect(card(page, 'Version 1')).toContainText('In force since')
    await expect(visibleMain(page)).toContainText('Nothing here is a promise of return.')

    await expect(visibleMain(page)).toContainText('An order can be paid online for 30 minutes.')
    expect(await readTableRows(page.getByRole('table', { name: 'Levels' }))).toEqual([
      ['L0', '0', '0', '0', '0'],
      ['L1', '100', '2', '12,000', '3'],
      ['L2', '200', '4', '24,000', '12'],
      ['L3', '400', '8', '48,000', '39'],
      ['L4', '800', '16', '96,000', '120'],
      ['L5', '1,600', '32', '192,000', '363'],
    ])
    expect((await readTableRows(page.getByRole('table', { name: '24-hour transfer quota' }))).slice(2, 4)).toEqual([
      ['L2', '1,000', '100,000', '0.05'],
      ['L3', '2,500', '250,000', '0.1'],
    ])
    expect(await readTableRows(page.getByRole('table', { name: 'Transfer out' }))).toEqual([
      ['Minimum', '10', '1,000', '0.0005'],
      ['Maximum', '50,000', '5,000,000', '2'],
      ['Fee', '1', '100', '0.00005'],
      ['Review above', '5,000', '500,000', '0.2'],
      ['Two approve above', '20,000', '2,000,000', '1'],
    ])
    expect(await readTableRows(page.getByRole('table', { name: 'Pledges' }))).toEqual([
      ['30 days', '×1.00'],
      ['90 days', '×1.10'],
      ['180 days', '×1.25'],
      ['360 days', '×1.50'],
    ])
    await expect(card(page, 'Pledges').locator('dd')).toHaveText(['10,000 BTN', '12:00 UTC', '2 BTC'])
    await expect(card(page, 'BTN and airdrops').locator('dt')).toHaveText([
      ...['Issuance', 'Airdrop reserve', 'Promotion reserve', 'Liquidity reserve', 'Mining fund reserve'],
      ...['Share of BTN fees burned', 'Airdrop for a sharing expert', 'Airdrop for a partner'],
    ])
    await expect(card(page, 'BTN and airdrops').locator('dd')).toHaveText([
      ...['1,000,000,000 BTN', '30%', '20%', '25%', '25%', '50%', '50,000 BTN', '500,000 BTN'],
    ])
  })

  test('shows the allocation of a promotion payment, whose parts add up to 100%', async ({ page, register, enter }) => {
    await enter(await register())
    await page.goto('/setting/dao')
    const parts = page.getByRole('list', { name: 'Where a promotion payment goes' }).getByRole('listitem')
    await expect(parts).toHaveText([
      /Mining fund.*65%/,
      /Referral reward.*the member’s inviter.*10%/,
      /Up-level reward.*up to 5 members.*2% each.*10%/,
      /Thanksgiving reward.*5%/,
      /Partner reward.*3%/,
      /Liquidity.*5%/,
      /Operations.*2%/,
      /Total.*100%/,
    ])
  })

  test('shows why it cannot be loaded, and loads on retry', async ({ page, register, enter }) => {
    await enter(await register())
    await page.route(/\/api\/plan\/current/, (route) => route.fulfill({ status: 500, json: {} }))
    await page.goto('/setting/dao')
    await expect(page.getByRole('heading', { name: 'The plan could not be loaded' })).toBeVisible()
    await page.unrouteAll({ behavior: 'wait' })
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect(card(page, 'Version 1')).toBeVisible()
  })

  for (const { lang, levels, together, promise } of [
    { lang: 'zh_tw', levels: '等級', together: '合計', promise: '這裡的內容都不是收益承諾。' },
    { lang: 'zh_cn', levels: '等级', together: '合计', promise: '这里的内容都不是收益承诺。' },
  ] as const)
    test(`is translated into ${lang}`, async ({ page, register, enter }) => {
      await enter(await register({ lang }))
      await page.goto('/setting/dao')
      await expect(visibleMain(page)).toContainText(promise)
      await expect(visibleMain(page).getByRole('listitem').filter({ hasText: together })).toContainText('100%')
      expect((await readTableRows(page.getByRole('table', { name: levels })))[1]).toContain('100')
    })
})

test.describe('a partner', () => {
  /** Both operators decide by the command line, and the worker carries the decision out. */
  async function decided(stack: BrowserStack, member: Member, standing: string, ...words: string[]): Promise<void> {
    const [verb = '', ...note] = words
    for (const name of ['ada', 'bo'] as const)
      await operatorsOf(stack).decide(name, 'partner', verb, member.account.address, ...note)
    await expect(async () => {
      expect((await getAs(stack, 'partner/status', member)).standing).toBe(standing)
    }).toPass({ timeout: 20_000 })
  }

  test('sees which requirements are missing, can apply once all are met, and is approved by two operators', async ({
    page,
    stack,
    register,
    enter,
    toasts,
  }) => {
    const newcomer = await register()
    await createTeam(stack, newcomer, { invited: 41 })
    await enter(newcomer)
    await page.goto('/setting/dao')
    await selectTab(page, 'Partner')
    const need = (name: string): Locator => card(page, 'Requirements').getByRole('listitem').filter({ hasText: name })
    await expect(need('Account activated')).toContainText('not met')
    await expect(need('Layer 3 full')).toHaveText(/: met27 of 27/)
    await expect(need('Layer 4 full')).toHaveText(/: not met2 of 81/)
    await expect(visibleMain(page)).toContainText('activation: buy the first level')
    await expect(visibleMain(page)).toContainText('layer 4: 79 more')
    await expect(visibleMain(page)).toContainText('layer 5: 243 more')
    await expect(page.getByRole('button', { name: 'Apply to become a partner' })).toBeDisabled()
    await expect(postAs(stack, 'partner/apply', newcomer, { key: 'a'.repeat(32) })).rejects.toThrow(
      'partner-not-activated',
    )

    const member = await registerPromotedMember(stack, register, { level: 1 })
    await expect(postAs(stack, 'partner/apply', member, { key: 'a'.repeat(32) })).rejects.toThrow('partner-layers-open')
    await createTeam(stack, member, { invited: 363 })
    await enter(member)
    await page.goto('/setting/dao?show=partner')
    await expect(need('Layer 5 full')).toHaveText(/: met243 of 243/)
    await expect(page.getByText('Still missing:')).toHaveCount(0)
    await page.getByRole('button', { name: 'Apply to become a partner' }).click()
    await expect.poll(() => toasts).toContain('Application sent')
    await expect(visibleMain(page)).toContainText('Two operators will decide.')
    await expect(page.getByRole('button', { name: /^Apply/ })).toHaveCount(0)

    await decided(stack, member, 'approved', 'approve')
    await page.getByRole('button', { name: 'Refresh' }).click()
    await expect(card(page, 'You are a partner')).toContainText('Approved on')
    await expect(card(page, 'You are a partner')).toContainText('500,000 BTN')
    await page.goto('/setting')
    await expect(card(page, 'Profile').getByText('Partner', { exact: true })).toBeVisible()
    await expect(card(page, 'Profile').getByText('Sharing expert')).toHaveCount(0)
  })

  test('collects all partner rewards with one press, and is told when nothing is left', async ({
    page,
    register,
    enter,
    toasts,
  }) => {
    await enter(await register())
    let produced = '12.5'
    await patchAnswer(page, 'partner/status', (data) => ({
      ...data,
      standing: 'approved',
      decidedAt: data.at,
      reward: { produced, collected: '7' },
    }))
    await page.goto('/setting/dao?show=partner')
    const reward = card(page, 'Partner reward')
    await expect(reward).toContainText('12.50 USDT')
    await expect(reward).toContainText('7.00 USDT')
    // In the real pool this member is not a partner.
    await reward.getByRole('button', { name: 'Collect 12.50 USDT' }).click()
    await expect.poll(() => toasts).toContain('There is nothing to collect right now.')
    await page.route(/\/api\/partner\/collect/, (route) => {
      produced = '0'
      return route.fulfill({ json: { code: 200, message: '', data: { amount: '12.5' } } })
    })
    await reward.getByRole('button', { name: 'Collect 12.50 USDT' }).click()
    await expect.poll(() => toasts).toContain('Collected: 12.5\u00a0USDT')
    await expect(reward.getByRole('button')).toHaveCount(0)
  })

  test('sees why the application was rejected and can apply again', async ({ page, stack, register, enter }) => {
    const member = await registerPromotedMember(stack, register, { level: 1 })
    await createTeam(stack, member, { invited: 363 })
    await enter(member)
    await page.goto('/setting/dao?show=partner')
    await page.getByRole('button', { name: 'Apply to become a partner' }).click()
    await expect(visibleMain(page)).toContainText('You applied on')
    await decided(stack, member, 'rejected', 'reject', 'Please write to us first.')
    await page.getByRole('button', { name: 'Refresh' }).click()
    await expect(visibleMain(page)).toContainText('Operators’ note: “Please write to us first.”')
    await page.getByRole('button', { name: 'Apply again' }).click()
    await expect(visibleMain(page)).toContainText('You applied on')
  })

  test('applies only once if the answer is lost', async ({ page, stack, register, enter }) => {
    const member = await registerPromotedMember(stack, register, { level: 1 })
    await createTeam(stack, member, { invited: 363 })
    await enter(member)
    await page.goto('/setting/dao?show=partner')
    const keys: string[] = []
    await page.route(/\/api\/partner\/apply/, async (route) => {
      keys.push((route.request().postDataJSON() as { key: string }).key)
      if (keys.length > 1) return route.continue()
      await route.fetch()
      return route.abort()
    })
    await page.getByRole('button', { name: 'Apply to become a partner' }).click()
    await expect(visibleMain(page)).toContainText('You applied on')
    expect(keys).toHaveLength(2)
    expect(new Set(keys).size).toBe(1)
  })
})
