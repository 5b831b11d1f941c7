import type { Locator, Page } from '@playwright/test'
import { asIfAnswered } from '../browser/answers.ts'
import { askFor, type Member, tellFor } from '../browser/member.ts'
import { operatorsOf } from '../browser/operators.ts'
import { promotedMember } from '../browser/rewards.ts'
import type { BrowserStack } from '../browser/stack.ts'
import { fillTeam } from '../browser/team.ts'
import { expect, test } from '../browser/test.ts'

const shown = (page: Page): Locator => page.locator('main:visible')
const card = (page: Page, title: string): Locator =>
  shown(page)
    .locator('section')
    .filter({ has: page.getByRole('heading', { name: title, exact: true }) })
/** The rows of the table's body, each with its name and its figures. */
const figuresOf = (table: Locator): Promise<(string | null)[][]> =>
  table
    .locator('tbody tr')
    .evaluateAll((rows) => rows.map((row) => Array.from(row.children, ({ textContent }) => textContent)))
const show = (page: Page, part: string): Promise<void> =>
  page.getByRole('radio', { name: part, exact: true }).check({ force: true })

// The app refreshes its data by itself, and a request may be open when the test ends.
test.afterEach(({ page }) => page.unrouteAll({ behavior: 'ignoreErrors' }))

test.describe('the plan', () => {
  test('is shown with every value, in force since when, and promises nothing', async ({ page, register, enter }) => {
    await enter(await register())
    await page.goto('/setting')
    await page.getByRole('link', { name: 'Pool and plan' }).click()
    await expect(page).toHaveURL('/setting/dao')
    await expect(card(page, 'Version 1')).toContainText('In force since')
    await expect(shown(page)).toContainText('Nothing here is a promise of return.')

    await expect(shown(page)).toContainText('An order can be paid online for 30 minutes.')
    expect(await figuresOf(page.getByRole('table', { name: 'Levels' }))).toEqual([
      ['L0', '0', '0', '0', '0'],
      ['L1', '100', '2', '12,000', '3'],
      ['L2', '200', '4', '24,000', '12'],
      ['L3', '400', '8', '48,000', '39'],
      ['L4', '800', '16', '96,000', '120'],
      ['L5', '1,600', '32', '192,000', '363'],
    ])
    expect((await figuresOf(page.getByRole('table', { name: '24-hour transfer quota' }))).slice(2, 4)).toEqual([
      ['L2', '1,000', '100,000', '0.05'],
      ['L3', '2,500', '250,000', '0.1'],
    ])
    expect(await figuresOf(page.getByRole('table', { name: 'Transfer out' }))).toEqual([
      ['Minimum', '10', '1,000', '0.0005'],
      ['Maximum', '50,000', '5,000,000', '2'],
      ['Fee', '1', '100', '0.00005'],
      ['Review above', '5,000', '500,000', '0.2'],
      ['Two decide above', '20,000', '2,000,000', '1'],
    ])
    expect(await figuresOf(page.getByRole('table', { name: 'Pledges' }))).toEqual([
      ['30 days', '×1.00'],
      ['90 days', '×1.10'],
      ['180 days', '×1.25'],
      ['360 days', '×1.50'],
    ])
    await expect(card(page, 'Pledges').locator('dd')).toHaveText(['10,000 BTN', '12:00 UTC', '2 BTC'])
    await expect(card(page, 'BTN and airdrops').locator('dt')).toHaveText([
      ...['Issuance', 'Airdrop reserve', 'Promotion reserve', 'Liquidity reserve', 'Mining fund reserve'],
      ...['Burned of every fee in BTN', 'Airdrop for a sharing expert', 'Airdrop for a partner'],
    ])
    await expect(card(page, 'BTN and airdrops').locator('dd')).toHaveText([
      ...['1,000,000,000 BTN', '30%', '20%', '25%', '25%', '50%', '50,000 BTN', '500,000 BTN'],
    ])
  })

  test('pictures where a promotion payment goes; the parts add up to all of it', async ({ page, register, enter }) => {
    await enter(await register())
    await page.goto('/setting/dao')
    const parts = page.getByRole('list', { name: 'Where a promotion payment goes' }).getByRole('listitem')
    await expect(parts).toHaveText([
      /Mining fund.*65%/,
      /Promotion reward.*To whoever invited the member.*10%/,
      /Up-level reward.*5 at most: 2% each.*10%/,
      /Thanksgiving reward.*5%/,
      /Partner reward.*3%/,
      /Liquidity.*5%/,
      /Operations.*2%/,
      /Together.*100%/,
    ])
  })

  test('that cannot be loaded says why, and is loaded at another try', async ({ page, register, enter }) => {
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
    test(`speaks ${lang}`, async ({ page, register, enter }) => {
      await enter(await register({ lang }))
      await page.goto('/setting/dao')
      await expect(shown(page)).toContainText(promise)
      await expect(shown(page).getByRole('listitem').filter({ hasText: together })).toContainText('100%')
      expect((await figuresOf(page.getByRole('table', { name: levels })))[1]).toContain('100')
    })
})

test.describe('a partner', () => {
  test.describe.configure({ timeout: 60_000 })

  /** Both operators decide by the command line, and the worker carries the decision out. */
  async function decided(stack: BrowserStack, member: Member, standing: string, ...words: string[]): Promise<void> {
    const [verb = '', ...note] = words
    for (const name of ['ada', 'bo'] as const)
      await operatorsOf(stack).decide(name, 'partner', verb, member.account.address, ...note)
    await expect(async () => {
      expect((await askFor(stack, 'partner/status', member)).standing).toBe(standing)
    }).toPass({ timeout: 20_000 })
  }

  test('is refused with what is missing and by how many, applies once nothing is, and is approved by two operators', async ({
    page,
    stack,
    register,
    enter,
    toasts,
  }) => {
    const newcomer = await register()
    await fillTeam(stack, newcomer, { invited: 41 })
    await enter(newcomer)
    await page.goto('/setting/dao')
    await show(page, 'Partner')
    const need = (name: string): Locator => card(page, 'What it takes').getByRole('listitem').filter({ hasText: name })
    await expect(need('Account activated')).toContainText('missing')
    await expect(need('Layer 3 full')).toHaveText(/there27 of 27/)
    await expect(need('Layer 4 full')).toHaveText(/missing2 of 81/)
    await expect(shown(page)).toContainText('activation: buy the first level')
    await expect(shown(page)).toContainText('layer 4: 79 more')
    await expect(shown(page)).toContainText('layer 5: 243 more')
    await expect(page.getByRole('button', { name: 'Apply to become a partner' })).toBeDisabled()
    await expect(tellFor(stack, 'partner/apply', newcomer, { key: 'a'.repeat(32) })).rejects.toThrow(
      'partner-not-activated',
    )

    const member = await promotedMember(stack, register, { level: 1 })
    await expect(tellFor(stack, 'partner/apply', member, { key: 'a'.repeat(32) })).rejects.toThrow(
      'partner-layers-open',
    )
    await fillTeam(stack, member, { invited: 363 })
    await enter(member)
    await page.goto('/setting/dao?show=partner')
    await expect(need('Layer 5 full')).toHaveText(/there243 of 243/)
    await expect(page.getByText('Still missing:')).toHaveCount(0)
    await page.getByRole('button', { name: 'Apply to become a partner' }).click()
    await expect.poll(() => toasts).toContain('Application sent')
    await expect(shown(page)).toContainText('Two operators will decide about it.')
    await expect(page.getByRole('button', { name: /^Apply/ })).toHaveCount(0)

    await decided(stack, member, 'approved', 'approve')
    await page.getByRole('button', { name: 'Refresh' }).click()
    await expect(card(page, 'You are a partner')).toContainText('Approved on')
    await expect(card(page, 'You are a partner')).toContainText('500,000 BTN')
  })

  test('collects what waits for it at one press, and is told where nothing is left', async ({
    page,
    register,
    enter,
    toasts,
  }) => {
    await enter(await register())
    let produced = '12.5'
    await asIfAnswered(page, 'partner/status', (data) => ({
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
    await reward.getByRole('button', { name: 'Collect 12.5 USDT' }).click()
    await expect.poll(() => toasts).toContain('There is no production to collect at the moment.')
    await page.route(/\/api\/partner\/collect/, (route) => {
      produced = '0'
      return route.fulfill({ json: { code: 200, message: '', data: { amount: '12.5' } } })
    })
    await reward.getByRole('button', { name: 'Collect 12.5 USDT' }).click()
    await expect.poll(() => toasts).toContain('Collected: 12.5\u00a0USDT')
    await expect(reward.getByRole('button')).toHaveCount(0)
  })

  test('whose application was rejected reads why, and may apply again', async ({ page, stack, register, enter }) => {
    const member = await promotedMember(stack, register, { level: 1 })
    await fillTeam(stack, member, { invited: 363 })
    await enter(member)
    await page.goto('/setting/dao?show=partner')
    await page.getByRole('button', { name: 'Apply to become a partner' }).click()
    await expect(shown(page)).toContainText('You applied on')
    await decided(stack, member, 'rejected', 'reject', 'Please write to us first.')
    await page.getByRole('button', { name: 'Refresh' }).click()
    await expect(shown(page)).toContainText('What they said: “Please write to us first.”')
    await page.getByRole('button', { name: 'Apply again' }).click()
    await expect(shown(page)).toContainText('You applied on')
  })

  test('whose answer is lost on the way has applied once', async ({ page, stack, register, enter }) => {
    const member = await promotedMember(stack, register, { level: 1 })
    await fillTeam(stack, member, { invited: 363 })
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
    await expect(shown(page)).toContainText('You applied on')
    expect(keys).toHaveLength(2)
    expect(new Set(keys).size).toBe(1)
  })
})
