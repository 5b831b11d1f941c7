import type { Locator, Page } from '@playwright/test'
import { publishNotices } from '../browser/notices.ts'
import { signIn } from '../browser/sign-in.ts'
import type { BrowserStack } from '../browser/stack.ts'
import { expect, test } from '../browser/test.ts'

// All members see a published notice, so these tests run one after the other, and no other file publishes notices.
test.describe.configure({ mode: 'default' })
test.afterEach(({ page }) => page.unrouteAll({ behavior: 'ignoreErrors' }))

const shown = (page: Page): Locator => page.locator('main:visible')
const bell = (page: Page): Locator => page.getByRole('banner').getByRole('link', { name: /^Notices/ })
const said = (page: Page, text: string): Locator => shown(page).getByText(text, { exact: true })
const line = (page: Page, title: string): Locator => shown(page).getByRole('button', { name: title })

const wordsOf = (name: string) => ({
  en: { title: `News of ${name}`, body: [`${name} happened.`, 'Nothing else changes.'] },
  zh_tw: { title: `${name} 的公告`, body: [`發生了 ${name}。`, '其他一切照舊。'] },
  zh_cn: { title: `${name} 的通知`, body: [`发生了 ${name}。`, '其他一切照旧。'] },
})
const publish = (stack: BrowserStack, ...names: readonly string[]) => publishNotices(stack, names.map(wordsOf))

test.describe('notices', () => {
  test('are counted on the bell, stand on /home, and are read one by one', async ({ page, stack, register, enter }) => {
    const member = await register()
    await publish(stack, 'the first', 'the second')
    await enter(member)
    await page.goto('/home')
    await expect(bell(page)).toHaveAccessibleName('Notices, 2 unread')
    await shown(page).getByRole('link', { name: 'News of the second' }).click()
    await expect(page).toHaveURL(/\/setting\/notice\?id=\d+$/)
    await expect(said(page, 'the second happened.')).toBeVisible()
    await expect(said(page, 'Nothing else changes.').first()).toBeVisible()
    await expect(shown(page).getByText('1 unread')).toBeVisible()
    await expect(line(page, 'News of the first')).toContainText('New')
    await expect(line(page, 'News of the second')).not.toContainText(/New$/)
    await page.getByRole('button', { name: 'Back' }).click()
    await expect(page).toHaveURL('/home')
    await expect(bell(page)).toHaveAccessibleName('Notices, 1 unread')

    await bell(page).click()
    await expect(said(page, 'the first happened.')).toBeHidden()
    await expect(line(page, 'News of the first')).toBeVisible()
    await line(page, 'News of the first').click()
    await expect(said(page, 'the first happened.')).toBeVisible()
    await expect(shown(page).getByText('All read')).toBeVisible()
    await page.reload()
    await expect(shown(page).getByText('All read')).toBeVisible()
    await expect(bell(page)).toHaveCount(0)
    await page.goto('/setting')
    await expect(bell(page)).toHaveAccessibleName('Notices')
  })

  test('are read all at once', async ({ page, stack, register, enter }) => {
    const member = await register()
    await publish(stack, 'a storm', 'its end')
    await enter(member)
    await page.goto('/setting')
    await page.getByRole('navigation', { name: 'Pages of the settings' }).getByRole('link', { name: 'Notices' }).click()
    await expect(shown(page).getByText('2 unread')).toBeVisible()
    await page.getByRole('button', { name: 'Mark all as read' }).click()
    await expect(shown(page).getByText('All read')).toBeVisible()
    await page.reload()
    await expect(shown(page).getByText('All read')).toBeVisible()
  })

  test('from before the registration are there to read, and do not wait for it', async ({
    page,
    stack,
    register,
    enter,
  }) => {
    await publish(stack, 'long ago')
    await enter(await register())
    await page.goto('/home')
    await expect(bell(page)).toHaveAccessibleName('Notices')
    await bell(page).click()
    await expect(shown(page).getByText('All read')).toBeVisible()
    await line(page, 'News of long ago').click()
    await expect(said(page, 'long ago happened.')).toBeVisible()
  })

  test('come page by page', async ({ page, stack, register, enter }) => {
    await publish(stack, ...Array.from({ length: 25 }, (_, number) => `number ${number}`))
    await enter(await register())
    await page.goto('/setting/notice')
    await expect(shown(page).getByRole('listitem').first()).toBeVisible()
    await expect(async () => {
      await shown(page).evaluate((main) => main.scrollTo(0, main.scrollHeight))
      await expect(page.getByText('No more data available')).toBeVisible({ timeout: 500 })
    }).toPass()
    expect(await shown(page).getByRole('listitem').count()).toBeGreaterThanOrEqual(25)
  })

  for (const { lang, title, body, name } of [
    { lang: 'zh_tw', title: '語言 的公告', body: '發生了 語言。', name: '公告，1 則未讀' },
    { lang: 'zh_cn', title: '語言 的通知', body: '发生了 語言。', name: '公告，1 条未读' },
  ] as const)
    test(`speak ${lang}`, async ({ page, stack, register, enter }) => {
      const member = await register({ lang })
      await publish(stack, '語言')
      await enter(member)
      await page.goto('/home')
      await page.getByRole('link', { name }).click()
      await line(page, title).first().click()
      await expect(said(page, body).first()).toBeVisible()
    })

  test('that cannot be loaded say so in place, and are loaded at another try', async ({
    page,
    register,
    enter,
    toasts,
  }) => {
    await enter(await register())
    await page.route(/\/api\/notice\//, (route) => route.fulfill({ status: 500, json: {} }))
    await page.goto('/home')
    await expect(shown(page).getByRole('link', { name: 'Notices could not be loaded' })).toBeVisible()
    await shown(page).getByRole('link', { name: 'Notices could not be loaded' }).click()
    await expect(shown(page).getByRole('heading', { name: 'Notices could not be loaded' })).toBeVisible()
    await page.unrouteAll({ behavior: 'wait' })
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect(shown(page).getByRole('listitem').first()).toBeVisible()
    expect(toasts).toEqual([])
  })

  test('can be read by whoever only takes assets out, and are not marked', async ({
    page,
    stack,
    register,
    disable,
    giveWallet,
  }) => {
    const member = await register()
    await publish(stack, 'the way out')
    await giveWallet({ account: member.account })
    await disable(member)
    const asked: string[] = []
    page.on('request', (request) => asked.push(new URL(request.url()).pathname))
    await page.goto('/login')
    await signIn(page)
      .wallet(/Plain Wallet/)
      .click()
    await page.getByRole('button', { name: 'Take your assets out' }).click()
    await expect(page).toHaveURL('/wallet')
    await page.getByRole('link', { name: 'Open setting' }).click()
    const pages = page.getByRole('navigation', { name: 'Pages of the settings' })
    await expect(pages.getByRole('link', { name: 'Help center' })).toHaveCount(0)
    await expect(pages.getByRole('link', { name: 'Invite friends' })).toHaveCount(0)
    await pages.getByRole('link', { name: 'Notices' }).click()
    await line(page, 'News of the way out').click()
    await expect(said(page, 'the way out happened.')).toBeVisible()
    await expect(page.getByRole('button', { name: 'Mark all as read' })).toHaveCount(0)
    expect(asked).toContain('/api/notice/list')
    expect(asked).not.toContain('/api/notice/read')
    for (const closed of ['/setting/help', '/share']) {
      await page.goto(closed)
      await expect(page).toHaveURL('/wallet')
    }
  })
})
