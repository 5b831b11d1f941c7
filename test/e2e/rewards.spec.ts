import type { Locator, Page } from '@playwright/test'
import { authorizeExpert, formatAddressTail, registerPromotedMember } from '../browser/rewards.ts'
import { expect, test } from '../browser/test.ts'
import { visibleMain } from '../browser/views.ts'

const lines = (page: Page): Locator => visibleMain(page).getByRole('list').getByRole('listitem')

// The app refreshes its data by itself, and a request may be open when the test ends.
test.afterEach(({ page }) => page.unrouteAll({ behavior: 'ignoreErrors' }))

test.describe('the reward records', () => {
  test('show member, level, share and layer for the promotions of three invitees', async ({
    page,
    stack,
    register,
    enter,
  }) => {
    const sponsor = await registerPromotedMember(stack, register, { level: 1 })
    const invitees = []
    for (let invited = 0; invited < 3; invited += 1)
      invitees.push(await registerPromotedMember(stack, register, { level: 1, invitedBy: sponsor }))

    await enter(sponsor)
    await page.goto('/promotion')
    await page.getByRole('link', { name: 'Reward records' }).click()
    await expect(page).toHaveURL('/promotion/reward')
    await expect(lines(page)).toHaveCount(6)
    for (const invitee of invitees) {
      const of = lines(page).filter({ hasText: `${formatAddressTail(invitee)} was promoted to L1` })
      const forInviting = of.filter({ hasText: 'Referral reward' })
      await expect(forInviting).toContainText('+10.00 USDT')
      await expect(forInviting).toContainText('10% of the price · invited by you')
      await expect(forInviting).toContainText('Received')
      const forBeingAbove = of.filter({ hasText: 'Up-level reward' })
      await expect(forBeingAbove).toContainText('+2.00 USDT')
      await expect(forBeingAbove).toContainText('2% of the price · in your layer 1')
    }
    const [, , newest] = invitees
    if (newest) await expect(lines(page).first()).toContainText(formatAddressTail(newest))
  })

  test('say why a reward was missed, and that the amount went to the mining fund', async ({
    page,
    stack,
    register,
    enter,
  }) => {
    const sponsor = await registerPromotedMember(stack, register, { level: 1 })
    const first = await registerPromotedMember(stack, register, { level: 2, invitedBy: sponsor })
    for (let invited = 0; invited < 2; invited += 1)
      await registerPromotedMember(stack, register, { level: 1, invitedBy: sponsor })
    const fourth = await registerPromotedMember(stack, register, { level: 1, invitedBy: sponsor })

    await enter(sponsor)
    await page.goto('/promotion/reward')
    await page.getByRole('combobox', { name: 'Status' }).selectOption('Missed')
    await expect(lines(page)).toHaveCount(3)
    const toL2 = lines(page).filter({ hasText: `${formatAddressTail(first)} was promoted to L2` })
    await expect(toL2).toHaveCount(2)
    await expect(toL2.first()).toContainText('Your level was below L2 at that time.')
    const beyond = lines(page).filter({ hasText: formatAddressTail(fourth) })
    await expect(beyond).toContainText('as many referral rewards as your level allowed')
    await expect(beyond).toContainText('The money went to the mining fund, not to the operator.')

    await page.getByRole('combobox', { name: 'Type' }).selectOption('Up-level reward')
    await expect(lines(page)).toHaveCount(1)
    await page.getByRole('combobox', { name: 'Status' }).selectOption('Unclaimed')
    await expect(visibleMain(page)).toContainText('No record matches these filters.')
  })

  test('open with the member who caused the reward, the balance after it and its reference', async ({
    page,
    stack,
    register,
    enter,
  }) => {
    const sponsor = await registerPromotedMember(stack, register, { level: 1 })
    const invitee = await registerPromotedMember(stack, register, { level: 2, invitedBy: sponsor })
    await enter(sponsor)
    await page.goto('/promotion/reward')
    await expect(lines(page)).toHaveCount(4)
    const sheet = page.getByRole('dialog', { name: 'Referral reward' })
    await lines(page).filter({ hasText: 'Received' }).getByRole('button', { name: 'Referral reward' }).click()
    for (const text of [
      `Member${formatAddressTail(invitee)}`,
      'Promoted toL1',
      'Placeinvited by you',
      '10% of the price',
    ])
      await expect(sheet).toContainText(text)
    await expect(sheet).toContainText(/Available afterwards1[02]\.00 USDT/)
    await expect(sheet).toContainText('None: it moved inside the pool’s ledger.')
    await expect(sheet).toContainText(/Reference[0-9a-f-]{36}/)
    await page.keyboard.press('Escape')
    await expect(sheet).toBeHidden()

    await lines(page).filter({ hasText: 'Missed' }).getByRole('button', { name: 'Referral reward' }).click()
    await expect(sheet).toContainText('Your level was below L2 at that time.')
    await expect(sheet).toContainText('Available afterwardsunchanged')
    await expect(sheet).not.toContainText('Transaction')
    await expect(sheet).not.toContainText('Reference')
  })

  test('with a status that the app does not know are shown as undefined', async ({ page, stack, register, enter }) => {
    const sponsor = await registerPromotedMember(stack, register, { level: 1 })
    await registerPromotedMember(stack, register, { level: 1, invitedBy: sponsor })
    await enter(sponsor)
    await page.route(/\/api\/promotion\/rewards/, async (route) => {
      const answer = await (await route.fetch()).text()
      await route.fulfill({ body: answer.replaceAll('"status":"claim"', '"status":"fromTheFuture"') })
    })
    await page.goto('/promotion/reward')
    await expect(lines(page)).toHaveCount(2)
    await expect(lines(page).first()).toContainText('Undefined')
  })

  test('say that the member is not activated', async ({ page, stack, register, enter }) => {
    const sponsor = await register()
    await registerPromotedMember(stack, register, { level: 1, invitedBy: sponsor })
    await enter(sponsor)
    await page.goto('/promotion/reward')
    await expect(lines(page)).toHaveCount(2)
    await expect(lines(page).first()).toContainText('Your account was not activated at that time.')
  })

  test('are loaded as the member scrolls', async ({ page, stack, register, enter }) => {
    const sponsor = await register()
    for (let invited = 0; invited < 2; invited += 1)
      await registerPromotedMember(stack, register, { level: 5, invitedBy: sponsor })
    await registerPromotedMember(stack, register, { level: 1, invitedBy: sponsor })
    await enter(sponsor)
    await page.goto('/promotion/reward')
    await expect(lines(page).nth(19)).toBeAttached()
    await expect(async () => {
      await visibleMain(page).evaluate((main) => main.scrollTo(0, main.scrollHeight))
      await expect(page.getByText('No more data available')).toBeVisible({ timeout: 500 })
    }).toPass()
    await expect(lines(page)).toHaveCount(22)
  })

  test('show why they cannot be loaded, and load on retry', async ({ page, register, enter }) => {
    await enter(await register())
    await page.route(/\/api\/promotion\/rewards/, (route) => route.fulfill({ status: 500, json: {} }))
    await page.goto('/promotion/reward')
    await expect(page.getByRole('heading', { name: 'Your reward records could not be loaded' })).toBeVisible()
    await page.unrouteAll({ behavior: 'wait' })
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect(page.getByRole('heading', { name: 'No data yet' })).toBeVisible()
  })

  for (const { lang, missed, rose, reason } of [
    { lang: 'zh_tw', missed: '未獲得', rose: '晉升至 L1', reason: '當時您的帳戶尚未開通。' },
    { lang: 'zh_cn', missed: '未获得', rose: '晋升到 L1', reason: '当时您的账户尚未激活。' },
  ] as const)
    test(`are translated into ${lang}`, async ({ page, stack, register, enter }) => {
      const sponsor = await register({ lang })
      await registerPromotedMember(stack, register, { level: 1, invitedBy: sponsor })
      await enter(sponsor)
      await page.goto('/promotion/reward')
      await expect(lines(page).first()).toContainText(missed)
      await expect(lines(page).first()).toContainText(rose)
      await expect(lines(page).first()).toContainText(reason)
    })
})

test.describe('a Thanksgiving reward', () => {
  test('is marked as unclaimed until the sharing expert claims it', async ({
    page,
    stack,
    register,
    enter,
    toasts,
  }) => {
    const expert = await registerPromotedMember(stack, register, { level: 1 })
    await authorizeExpert(stack, expert)
    await registerPromotedMember(stack, register, { level: 1, invitedBy: expert })

    await enter(expert)
    await page.goto('/setting')
    await expect(page.locator('main:visible').getByText('Sharing expert', { exact: true })).toBeVisible()
    await page.goto('/promotion/reward')
    const reward = lines(page).filter({ hasText: 'Thanksgiving reward' })
    await expect(reward).toContainText('+5.00 USDT')
    await expect(reward).toContainText('Unclaimed')
    await expect(reward).toContainText('5% of the price · in your layer 1')
    await expect(visibleMain(page)).toContainText('You have 5 USDT of Thanksgiving rewards to claim.')
    await page.getByRole('button', { name: 'Claim 5 USDT' }).click()
    await expect.poll(() => toasts).toContain('Reward claimed successfully')
    await expect(page).toHaveURL(/\/promotion\/reward$/)
    await expect(reward).toContainText('Received')
    await expect(reward).toContainText('Claimed on')
    await expect(page.getByText('of Thanksgiving rewards to claim')).toHaveCount(0)
    await page.goto('/wallet/detail?symbol=USDT')
    await expect(visibleMain(page).getByRole('listitem').filter({ hasText: 'Thanksgiving reward' })).toContainText(
      '+5.00',
    )
  })
})
