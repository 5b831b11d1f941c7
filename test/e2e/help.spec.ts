import type { Locator, Page } from '@playwright/test'
import { patchAnswer } from '../browser/api-answers.ts'
import { switchAppearance } from '../browser/appearance.ts'
import { expect, test } from '../browser/test.ts'
import { visibleMain } from '../browser/views.ts'

test.afterEach(({ page }) => page.unrouteAll({ behavior: 'ignoreErrors' }))

const articles = (page: Page): Locator => visibleMain(page).getByRole('listitem').getByRole('link')
const heading = (page: Page, name: string): Locator => visibleMain(page).getByRole('heading', { name, exact: true })

test.describe('the help center', () => {
  test('can be opened from the settings and from /home', async ({ page, register, enter }) => {
    await enter(await register())
    await page.goto('/setting')
    await page.getByRole('navigation', { name: 'Settings pages' }).getByRole('link', { name: 'Help center' }).click()
    await expect(page).toHaveURL('/setting/help')
    await page.goto('/home')
    await page.getByRole('navigation', { name: 'Shortcuts' }).getByRole('link', { name: 'Help' }).click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Help center')
    await expect(articles(page)).toHaveCount(11)
  })

  test('explains pledges, the risks, what the pool never asks for, and that no return is promised', async ({
    page,
    register,
    enter,
  }) => {
    await enter(await register())
    await page.goto('/setting/help')
    for (const title of [
      'What a pledge is',
      'What can go wrong',
      'What a promotion is and where the money goes',
      'How money comes in and goes out',
      'The fund password',
      'The transfer lock and signing in safely',
      'How to recognize a fake site',
      'What this app will never ask for',
      'Nothing here is a promise of return',
    ])
      await expect(articles(page).filter({ hasText: title }).first()).toBeVisible()
    await articles(page).filter({ hasText: 'What a pledge is' }).click()
    await expect(page).toHaveURL('/setting/help?article=what-a-pledge-is')
    await expect(heading(page, 'What a pledge is')).toBeVisible()
    await expect(heading(page, 'Before you pledge')).toBeVisible()
    await expect(visibleMain(page).locator('strong')).toContainText(['You cannot end a pledge early.'])
    await page.getByRole('button', { name: 'Back' }).click()
    await expect(page).toHaveURL('/setting/help')
  })

  test('can be searched, and keeps the search when the member comes back', async ({ page, register, enter }) => {
    await enter(await register())
    await page.goto('/setting/help')
    await page.getByRole('searchbox', { name: 'Search help' }).fill('UNLIMITED approval')
    await expect(visibleMain(page)).toContainText('Articles found: 2')
    await articles(page).filter({ hasText: 'What this app will never ask for' }).click()
    await expect(heading(page, 'What this app will never ask for')).toBeVisible()
    await page.getByRole('button', { name: 'Back' }).click()
    await expect(page.getByRole('searchbox')).toHaveValue('UNLIMITED approval')
    await expect(articles(page)).toHaveCount(2)
    await page.getByRole('searchbox').fill('nothing that is written there xyzzy')
    await expect(heading(page, 'No articles found')).toBeVisible()
  })

  for (const { lang, typed, title } of [
    { lang: 'zh_tw', typed: '忘記資金密碼', title: '資金密碼' },
    { lang: 'zh_cn', typed: '忘记资金密码', title: '资金密码' },
    { lang: 'en', typed: 'stop changing the output address', title: 'The output address' },
    { lang: 'zh_tw', typed: '取消變更轉出地址', title: '轉出地址' },
    { lang: 'zh_cn', typed: '取消变更转出地址', title: '转出地址' },
  ] as const)
    test(`can be searched and read in ${lang}: ${title}`, async ({ page, register, enter }) => {
      await enter(await register({ lang }))
      await page.goto('/setting/help')
      await page.getByRole('searchbox').fill(typed)
      await expect(articles(page).first()).toContainText(title)
      await articles(page).first().click()
      await expect(heading(page, title)).toBeVisible()
    })

  test('is opened from the output address, with the article about it', async ({ page, register, enter }) => {
    await enter(await register())
    await page.goto('/setting')
    await page.getByRole('link', { name: 'Why, and how to stop a change' }).click()
    await expect(page).toHaveURL('/setting/help?article=output-address')
    await expect(heading(page, 'The output address')).toBeVisible()
    await expect(visibleMain(page)).toContainText('Cancel change')
  })

  test('opens a linked article in the current language, and follows a language change', async ({
    page,
    register,
    enter,
  }) => {
    await enter(await register())
    await page.goto('/setting/help?article=fake-sites')
    await expect(heading(page, 'How to recognize a fake site')).toBeVisible()
    await switchAppearance(page, { language: 'zh_tw' })
    await expect(heading(page, '如何辨認假網站')).toBeVisible()
    await switchAppearance(page, { language: 'zh_cn' })
    await expect(heading(page, '如何识别假网站')).toBeVisible()
    await page.goto('/setting/help?article=no-such-thing')
    await page.getByRole('button', { name: '所有文章' }).click()
    await expect(articles(page)).toHaveCount(11)
  })

  test('finds articles by words that they do not use, and shows how to reach the pool', async ({
    page,
    register,
    enter,
  }) => {
    await patchAnswer(page, 'pool/chain', (data) => ({ ...data, contactUrl: 'mailto:help@pool.example' }))
    await enter(await register())
    await page.goto('/setting/help')
    for (const [typed, title] of [
      ['how to start', 'How to begin'],
      ['withdraw', 'How money comes in and goes out'],
    ] as const) {
      await page.getByRole('searchbox').fill(typed)
      await expect(articles(page).filter({ hasText: title })).toBeVisible()
    }
    const contact = visibleMain(page).getByRole('link', { name: /^Contact the pool/ })
    await expect(contact).toContainText('help@pool.example')
    await expect(contact).toHaveAttribute('href', 'mailto:help@pool.example')
  })

  test('says that the operators have set no contact, also below a search', async ({ page, register, enter }) => {
    await enter(await register())
    await page.goto('/setting/help')
    await expect(articles(page)).toHaveCount(11)
    await expect(visibleMain(page).getByRole('link', { name: /^Contact/ })).toHaveCount(0)
    const note = visibleMain(page).getByText('This pool has not published a contact address.')
    await expect(note).toBeVisible()
    await page.getByRole('searchbox').fill('contact')
    await expect(note).toBeVisible()
  })

  test('says that it cannot be loaded, and loads on retry', async ({ page, register, enter, toasts }) => {
    await enter(await register())
    await page.route(/\/api\/help\//, (route) => route.fulfill({ status: 500, json: {} }))
    await page.goto('/setting/help')
    await expect(heading(page, 'Help could not be loaded')).toBeVisible()
    await page.unrouteAll({ behavior: 'wait' })
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect(articles(page)).toHaveCount(11)
    expect(toasts).toEqual([])
  })
})
