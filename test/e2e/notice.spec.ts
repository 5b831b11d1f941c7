import type { Locator, Page } from '@playwright/test'
import { publishNotices } from '../browser/notices.ts'
import { signInPage } from '../browser/sign-in.ts'
import type { BrowserStack } from '../browser/stack.ts'
import { expect, test } from '../browser/test.ts'
import { visibleMain } from '../browser/views.ts'

// All members see a published notice, so these tests run one after the other, and no other file publishes notices.
test.describe.configure({ mode: 'default' })
test.afterEach(({ page }) => page.unrouteAll({ behavior: 'ignoreErrors' }))

const bell = (page: Page): Locator => page.getByRole('banner').getByRole('link', { name: /^Notices/ })
const exactText = (page: Page, text: string): Locator => visibleMain(page).getByText(text, { exact: true })
const noticeLine = (page: Page, title: string): Locator => visibleMain(page).getByRole('button', { name: title })

const makeNotice = (name: string) => ({
  en: { title: `News of ${name}`, body: [`${name} happened.`, 'Nothing else changes.'] },
  zh_tw: { title: `${name} 的公告`, body: [`發生了 ${name}。`, '其他一切照舊。'] },
  zh_cn: { title: `${name} 的通知`, body: [`发生了 ${name}。`, '其他一切照旧。'] },
})
const publishTestNotices = (stack: BrowserStack, ...names: readonly string[]) =>
  publishNotices(stack, names.map(makeNotice))

test.describe('notices', () => {
  test('are counted on the bell, shown on /home, and marked as read one by one', async ({
    page,
    stack,
    register,
    enter,
  }) => {
    const member = await register()
    await publishTestNotices(stack, 'the first', 'the second')
    await enter(member)
    await page.goto('/home')
    await expect(bell(page)).toHaveAccessibleName('Notices, 2 unread')
    await visibleMain(page).getByRole('link', { name: 'News of the second' }).click()
    await expect(page).toHaveURL(/\/setting\/notice\?id=[\w-]{22}$/)
    await expect(exactText(page, 'the second happened.')).toBeVisible()
    await expect(exactText(page, 'Nothing else changes.').first()).toBeVisible()
    await expect(visibleMain(page).getByText('1 unread')).toBeVisible()
    await expect(noticeLine(page, 'News of the first')).toContainText('New')
    await expect(noticeLine(page, 'News of the second')).not.toContainText(/New$/)
    await page.getByRole('button', { name: 'Back' }).click()
    await expect(page).toHaveURL('/home')
    await expect(bell(page)).toHaveAccessibleName('Notices, 1 unread')

    await bell(page).click()
    await expect(exactText(page, 'the first happened.')).toBeHidden()
    await expect(noticeLine(page, 'News of the first')).toBeVisible()
    await noticeLine(page, 'News of the first').click()
    await expect(exactText(page, 'the first happened.')).toBeVisible()
    await expect(visibleMain(page).getByText('All read')).toBeVisible()
    await page.reload()
    await expect(visibleMain(page).getByText('All read')).toBeVisible()
    await expect(bell(page)).toHaveCount(0)
    await page.goto('/setting')
    await expect(bell(page)).toHaveAccessibleName('Notices')
  })

  test('can be marked as read all at once', async ({ page, stack, register, enter }) => {
    const member = await register()
    await publishTestNotices(stack, 'a storm', 'its end')
    await enter(member)
    await page.goto('/setting')
    await page.getByRole('navigation', { name: 'Settings pages' }).getByRole('link', { name: 'Notices' }).click()
    await expect(visibleMain(page).getByText('2 unread')).toBeVisible()
    await page.getByRole('button', { name: 'Mark all as read' }).click()
    await expect(visibleMain(page).getByText('All read')).toBeVisible()
    await page.reload()
    await expect(visibleMain(page).getByText('All read')).toBeVisible()
  })

  test('from before the registration can be read and do not count as unread', async ({
    page,
    stack,
    register,
    enter,
  }) => {
    await publishTestNotices(stack, 'long ago')
    await enter(await register())
    await page.goto('/home')
    await expect(bell(page)).toHaveAccessibleName('Notices')
    await bell(page).click()
    await expect(visibleMain(page).getByText('All read')).toBeVisible()
    await noticeLine(page, 'News of long ago').click()
    await expect(exactText(page, 'long ago happened.')).toBeVisible()
  })

  test('are loaded page by page', async ({ page, stack, register, enter }) => {
    await publishTestNotices(stack, ...Array.from({ length: 25 }, (_, number) => `number ${number}`))
    await enter(await register())
    await page.goto('/setting/notice')
    await expect(visibleMain(page).getByRole('listitem').first()).toBeVisible()
    await expect(async () => {
      await visibleMain(page).evaluate((main) => main.scrollTo(0, main.scrollHeight))
      await expect(page.getByText('No more data available')).toBeVisible({ timeout: 500 })
    }).toPass()
    expect(await visibleMain(page).getByRole('listitem').count()).toBeGreaterThanOrEqual(25)
  })

  for (const { lang, title, body, name } of [
    { lang: 'zh_tw', title: '語言 的公告', body: '發生了 語言。', name: '公告，1 則未讀' },
    { lang: 'zh_cn', title: '語言 的通知', body: '发生了 語言。', name: '公告，1 条未读' },
  ] as const)
    test(`are translated into ${lang}`, async ({ page, stack, register, enter }) => {
      const member = await register({ lang })
      await publishTestNotices(stack, '語言')
      await enter(member)
      await page.goto('/home')
      await page.getByRole('link', { name }).click()
      await noticeLine(page, title).first().click()
      await expect(exactText(page, body).first()).toBeVisible()
    })

  test('say in the page that they cannot be loaded, and load on retry', async ({ page, register, enter, toasts }) => {
    await enter(await register())
    await page.route(/\/api\/notice\//, (route) => route.fulfill({ status: 500, json: {} }))
    await page.goto('/home')
    await expect(visibleMain(page).getByRole('link', { name: 'Notices could not be loaded' })).toBeVisible()
    await visibleMain(page).getByRole('link', { name: 'Notices could not be loaded' }).click()
    await expect(visibleMain(page).getByRole('heading', { name: 'Notices could not be loaded' })).toBeVisible()
    await page.unrouteAll({ behavior: 'wait' })
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect(visibleMain(page).getByRole('listitem').first()).toBeVisible()
    expect(toasts).toEqual([])
  })

  test('can be read in an exit session, and are not marked as read', async ({
    page,
    stack,
    register,
    disable,
    giveWallet,
  }) => {
    const member = await register()
    await publishTestNotices(stack, 'the way out')
    await giveWallet({ account: member.account })
    await disable(member)
    const asked: string[] = []
    page.on('request', (request) => asked.push(new URL(request.url()).pathname))
    await page.goto('/login')
    await signInPage(page)
      .wallet(/Plain Wallet/)
      .click()
    await page.getByRole('button', { name: 'Take your assets out' }).click()
    await expect(page).toHaveURL('/wallet')
    await page.getByRole('link', { name: 'Open setting' }).click()
    const pages = page.getByRole('navigation', { name: 'Settings pages' })
    await expect(pages.getByRole('link', { name: 'Help center' })).toBeVisible()
    await expect(pages.getByRole('link', { name: 'Invite friends' })).toHaveCount(0)
    await pages.getByRole('link', { name: 'Notices' }).click()
    await noticeLine(page, 'News of the way out').click()
    await expect(exactText(page, 'the way out happened.')).toBeVisible()
    await expect(page.getByRole('button', { name: 'Mark all as read' })).toHaveCount(0)
    expect(asked).toContain('/api/notice/list')
    expect(asked).not.toContain('/api/notice/read')
    await page.goto('/share')
    await expect(page).toHaveURL('/wallet')
  })
})
