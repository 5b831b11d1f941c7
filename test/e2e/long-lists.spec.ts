import type { Locator, Page } from '@playwright/test'
import { returnToForeground } from '../browser/foreground.ts'
import { postHistory } from '../browser/post-history.ts'
import { expect, test } from '../browser/test.ts'
import { visibleMain } from '../browser/views.ts'

/** A list of more than a hundred lines draws only those near the screen. */
const LINES = 130

const linesOf = (page: Page): Locator => visibleMain(page).locator('ol > li')
const scrollTo = (page: Page, top: number) => visibleMain(page).evaluate((main, place) => main.scrollTo(0, place), top)

/** Scrolls until the oldest line is drawn. While older lines are added, the end moves away again. */
async function loadToTheEnd(page: Page, last: string): Promise<void> {
  await expect(async () => {
    await scrollTo(page, 1_000_000)
    await expect(page.getByText('No more data available')).toBeInViewport({ timeout: 500 })
    await expect(linesOf(page).last()).toContainText(last, { timeout: 500 })
  }).toPass()
}

/** The numbers of the drawn lines, as a screen reader says them. */
const placesOf = (page: Page): Promise<number[]> =>
  linesOf(page).evaluateAll((lines) => lines.map((line) => Number(line.getAttribute('aria-posinset'))))

// The app refreshes its data by itself, and a request may be open when the test ends.
test.afterEach(({ page }) => page.unrouteAll({ behavior: 'ignoreErrors' }))

test.describe('a long log', () => {
  test('draws the lines near the screen, each at its place, and keeps its position and the focus', async ({
    page,
    stack,
    register,
    enter,
  }) => {
    const member = await register()
    const deposits = Array.from({ length: LINES }, (_, place) => ({ received: `${place + 1}`, asset: 'USDT' as const }))
    await postHistory(stack, member, deposits)
    await enter(member)
    await page.goto('/wallet')
    await page.getByRole('link', { name: /^USDT/ }).click()
    await expect(linesOf(page).first()).toContainText('+130.00')
    await loadToTheEnd(page, '+1.00')
    await expect(linesOf(page).last()).toHaveAttribute('aria-setsize', String(LINES))
    await expect.poll(() => linesOf(page).count()).toBeLessThan(40)

    const seen = new Map<number, string>()
    for (let top = 0; seen.size < LINES && top < 20_000; top += 1_000) {
      await scrollTo(page, top)
      // Lines are drawn a few at a time. Those on the screen must appear.
      await expect.poll(() => coversScreen(page)).toBe(true)
      const texts = await linesOf(page).allInnerTexts()
      for (const [index, place] of (await placesOf(page)).entries()) seen.set(place, texts[index] ?? '')
    }
    expect(seen.size).toBe(LINES)
    for (const [place, text] of seen) expect(text).toContain(`+${LINES + 1 - place}.00`)

    await scrollTo(page, 6_000)
    await expect.poll(() => coversScreen(page)).toBe(true)
    await page.getByRole('button', { name: 'Back' }).click()
    await expect(page).toHaveURL('/wallet')
    await page.getByRole('link', { name: /^USDT/ }).click()
    await expect.poll(() => visibleMain(page).evaluate((main) => main.scrollTop)).toBe(6_000)
    await expect.poll(() => coversScreen(page)).toBe(true)

    await linesOf(page).nth(6).getByRole('button', { name: 'Transfer in' }).focus()
    await scrollTo(page, 0)
    await expect(visibleMain(page)).toBeFocused()
  })
})

/** Whether lines are drawn over the whole height of the screen. */
const coversScreen = (page: Page): Promise<boolean> =>
  visibleMain(page).evaluate((main) => {
    const screen = main.getBoundingClientRect()
    const lines = Array.from(main.querySelectorAll('ol > li'), (line) => line.getBoundingClientRect())
    const list = main.querySelector('ol')?.getBoundingClientRect()
    const [first, last] = [lines[0], lines.at(-1)]
    if (!list || !first || !last) return false
    return first.top <= Math.max(screen.top, list.top + 2) && last.bottom >= Math.min(screen.bottom, list.bottom - 2)
  })

const idOf = (number: number): string => String(number).padStart(22, '0')
const atOf = (number: number): string => new Date(Date.UTC(2026, 0, 1) + number * 60_000).toISOString()

const reward = (number: number) => ({
  ...{ id: idOf(number), at: atOf(number), claimedAt: null, reason: null, layer: null, line: null },
  ...{ type: 'promotionReward', status: 'claim', amount: `${number}`, tail: 'abcdef', level: 1, basisPoints: 1_000 },
  balanceAfter: null,
})
const invitation = (number: number) => ({
  ...{ id: idOf(number), node: idOf(number), at: atOf(number), level: 1, activated: true },
  tail: number.toString(16).padStart(6, '0'),
})
const noticeText = (number: number) => ({ title: `Notice ${number}`, body: [] })
const notice = (number: number) => ({
  ...{ id: idOf(number), at: atOf(number), read: true, kind: 'message' },
  words: { en: noticeText(number), zh_tw: noticeText(number), zh_cn: noticeText(number) },
})

const lists = [
  { name: 'rewards', path: '/promotion/reward', read: 'promotion/rewards', itemOf: reward, last: '+1.00' },
  { name: 'invitations', path: '/teams', read: 'team/invitations', itemOf: invitation, last: '000001' },
  { name: 'notices', path: '/setting/notice', read: 'notice/list', itemOf: notice, last: 'Notice 1' },
]

test.describe('a list that is refreshed', () => {
  for (const { name, path, read, itemOf, last } of lists)
    test(`reads its newest part only, with one call: ${name}`, async ({ page, register, enter }) => {
      const asked: string[] = []
      let isFailing = false
      await page.route(new RegExp(`/api/${read}\\?`), (route) => {
        const { searchParams } = new URL(route.request().url())
        const [cursor, limit] = [searchParams.get('cursor'), searchParams.get('limit')]
        // The bell on other screens asks for one notice.
        if (limit !== '1') asked.push(`${cursor === null ? 'newest' : 'older'} ${limit ?? 20}`)
        if (isFailing) return route.fulfill({ status: 422, json: { code: 422, message: 'Try later', data: null } })
        const newest = Number(cursor ?? LINES)
        const items = Array.from({ length: Math.min(newest, Number(limit ?? 20)) }, (_, place) =>
          itemOf(newest - place),
        )
        const rest = newest - items.length
        const data = { items, next: rest > 0 ? idOf(rest) : null, ...(read === 'notice/list' && { unread: 0 }) }
        return route.fulfill({ json: { code: 200, message: '', data } })
      })
      // Waits for the answer: while a read is under way, returning begins no other.
      const isRefresh = new RegExp(`/api/${read}\\?.*limit=100`)
      const refresh = () => Promise.all([page.waitForResponse(isRefresh), returnToForeground(page)])
      await enter(await register())
      await page.clock.install()
      await page.goto(path)
      await expect(linesOf(page).first()).toBeVisible()
      await loadToTheEnd(page, last)
      expect(asked, 'pages of 20, and larger ones for a long list').toEqual([
        'newest 20',
        ...Array.from({ length: 4 }, () => 'older 20'),
        'older 100',
      ])

      asked.length = 0
      await refresh()
      expect(asked).toEqual(['newest 100'])
      await expect(linesOf(page).last(), 'older lines stay').toContainText(last)

      // A refresh that fails says nothing about the older lines.
      for (isFailing of [true, false]) {
        asked.length = 0
        await refresh()
        expect(asked).toEqual(['newest 100'])
      }
      await expect(linesOf(page).last(), 'older lines stay').toContainText(last)

      asked.length = 0
      await page.getByRole('button', { name: 'Refresh' }).click()
      await expect.poll(() => asked[0]).toBe('newest 100')
      // The older lines load again.
      await loadToTheEnd(page, last)
      expect(asked).toEqual(['newest 100', 'older 100'])
    })
})
