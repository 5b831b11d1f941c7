import type { Page, Request } from '@playwright/test'
import { patchAnswer } from '../browser/api-answers.ts'
import { mockNextDay, scheduled } from '../browser/next-day.ts'
import { expectHome } from '../browser/sign-in.ts'
import { expect, test } from '../browser/test.ts'

const HOUR_MS = 3_600_000
/** A step may delay the next request by its own length. With a minute, Home would often ask fewer than 24 times. */
const STEP_MS = 30_000

/**
 * What the app asks the pool for in one hour, by route. The clock is moved, so that the hour takes seconds. It has to be
 * paused: the time of the app stands still until the app has all answers.
 */
async function countInOneHour(page: Page): Promise<Record<string, number>> {
  const counted: Record<string, number> = {}
  const unanswered = new Set<Request>()
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (!pathname.startsWith('/api/')) return
    counted[pathname] = (counted[pathname] ?? 0) + 1
    unanswered.add(request)
  })
  page.on('requestfinished', (request) => void unanswered.delete(request))
  page.on('requestfailed', (request) => void unanswered.delete(request))
  for (let passed = 0; passed < HOUR_MS; passed += STEP_MS) {
    await page.clock.runFor(STEP_MS)
    await expect.poll(() => unanswered.size, { intervals: [5, 10, 20, 50] }).toBe(0)
  }
  return counted
}

const sumOf = (counted: Record<string, number>): number => Object.values(counted).reduce((sum, count) => sum + count, 0)

test.describe('in one hour, while nothing is going on', () => {
  // The page counts down every second of the hour.
  test.setTimeout(240_000)
  test.beforeEach(async ({ page, register, enter }) => {
    const member = await register()
    await enter(member)
    await page.clock.install()
    // The server's clock is not moved, so the next production would stay as near as it is.
    await mockNextDay(page, scheduled)
    await page.goto('/home')
    await expectHome(page, member.account.address)
    // Later than any machine gets there, and sooner than the first timer that asks or gives up.
    await page.clock.pauseAt(Date.now() + 30_000)
  })

  test('Home asks the pool at most sixty times, and shows its last answer', async ({ page }) => {
    let answers = 0
    await patchAnswer(page, 'account/home', (data) => {
      answers += 1
      return { ...data, collect: [{ part: 'partner', symbol: 'USDT', amount: String(answers) }] }
    })
    const counted = await countInOneHour(page)
    expect(sumOf(counted), JSON.stringify(counted)).toBeLessThanOrEqual(60)
    expect(counted['/api/account/home']).toBeGreaterThanOrEqual(24)
    // React Query tells the page about an answer with a timer.
    await page.clock.resume()
    const shown = page.getByRole('listitem').filter({ hasText: 'partner reward' })
    await expect(async () => {
      expect(await shown.textContent()).toBe(`${answers}.00\u00a0USDT partner reward`)
    }).toPass({ timeout: 10_000 })
  })

  test('an app in the background asks at most twenty times', async ({ page }) => {
    await page.evaluate(() => {
      Object.defineProperty(document, 'visibilityState', { get: () => 'hidden' })
      Object.defineProperty(document, 'hidden', { get: () => true })
      document.dispatchEvent(new Event('visibilitychange'))
      window.dispatchEvent(new Event('visibilitychange'))
    })
    const counted = await countInOneHour(page)
    expect(sumOf(counted), JSON.stringify(counted)).toBeLessThanOrEqual(20)
  })
})
