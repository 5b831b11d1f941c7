import { gzipSync } from 'node:zlib'
import type { Page, Response } from '@playwright/test'
import { expectHome } from '../browser/sign-in.ts'
import { expect, test } from '../browser/test.ts'

type Loaded = { readonly path: string; readonly bytes: number }

/** Opens a page with an empty cache and returns everything that it loads until the network is quiet. */
async function visit(page: Page, path: string, untilShown: () => Promise<void>): Promise<Loaded[]> {
  const responses: Response[] = []
  page.on('response', (response) => responses.push(response))
  await page.goto(path)
  await untilShown()
  await page.waitForLoadState('networkidle')
  return await Promise.all(
    responses.map(async (response) => ({
      path: new URL(response.url()).pathname,
      bytes: gzipSync(await response.body(), { level: 9 }).length,
    })),
  )
}

const sizeOf = (loaded: readonly Loaded[]): number => loaded.reduce((sum, { bytes }) => sum + bytes, 0)
const list = (loaded: readonly Loaded[]): string => loaded.map(({ path, bytes }) => `${bytes} ${path}`).join('\n')

// The figures of these visits, and why they are counted like this, are in docs/performance.md.

test('the first visit of /login loads at most 170 kB until it is drawn', async ({ page }) => {
  const loaded = await visit(page, '/login', () => expect(page.getByRole('button').first()).toBeVisible())
  // The wallet's code and the chain that it asks for load after the page is drawn.
  const untilDrawn = loaded.filter(({ path }) => !/\/assets\/chain-|^\/api\//.test(path))
  expect(untilDrawn.length, list(loaded)).toBeLessThanOrEqual(12)
  expect(sizeOf(untilDrawn), list(loaded)).toBeLessThanOrEqual(170_000)
})

test('the first visit of /home is at most 15 requests and 190 kB', async ({ page, register, enter }) => {
  const member = await register()
  await enter(member)
  const loaded = await visit(page, '/home', () => expectHome(page, member.account.address))
  expect(loaded.length, list(loaded)).toBeLessThanOrEqual(15)
  const reads = loaded.filter(({ path }) => path.startsWith('/api/')).map(({ path }) => path)
  expect(reads.sort(), 'each read is sent once').toEqual(Array.from(new Set(reads)))
  expect(sizeOf(loaded), list(loaded)).toBeLessThanOrEqual(190_000)
})

test('before the app’s code arrives, the page shows its shell and has begun what it needs', async ({
  page,
  register,
  enter,
}) => {
  const requested: string[] = []
  page.on('request', (request) => requested.push(new URL(request.url()).pathname))
  let deliver = () => {}
  let delivered = Promise.resolve()
  await page.route(/\/assets\/index-[^/]+\.js$/, async (route) => {
    await delivered
    await route.continue()
  })
  const hold = () => {
    delivered = new Promise((resolve) => {
      deliver = resolve
    })
  }

  hold()
  await page.goto('/login', { waitUntil: 'commit' })
  await expect(page.locator('.shell-name')).toBeVisible()
  const drawnAt = await page.locator('.shell-brand svg').boundingBox()
  await expect.poll(() => requested).toContainEqual(expect.stringMatching(/\/assets\/sign-in-/))
  deliver()
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(page.locator('.shell')).toHaveCount(0)
  expect(await page.locator('h1').locator('..').locator('svg').boundingBox(), 'the logo stays in place').toEqual(
    drawnAt,
  )

  await enter(await register())
  requested.length = 0
  hold()
  await page.goto('/home', { waitUntil: 'commit' })
  await expect(page.locator('.shell-tabs')).toBeVisible()
  await expect.poll(() => requested).toEqual(expect.arrayContaining(['/api/account/profile', '/api/account/home']))
  await expect.poll(() => requested).toContainEqual(expect.stringMatching(/\/assets\/home-/))
  deliver()
  await expect(page.getByRole('navigation', { name: 'Main sections' })).toBeVisible()
  await expect(page.locator('.shell')).toHaveCount(0)
})

test('a toast appears as a message if what draws toasts cannot be loaded', async ({
  page,
  context,
  stack,
  register,
  enter,
  messages,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: stack.origin })
  await page.route(/\/assets\/toaster-[^/]+\.js$/, (route) => route.abort())
  await enter(await register())
  await page.goto('/share')
  const copy = page.getByRole('button', { name: 'Copy invitation code' })
  await copy.click()
  await expect.poll(() => messages).toEqual(['Copy successful'])
  await expect(page.getByText('Copy successful')).toHaveCount(0)
  await copy.click()
  await expect.poll(() => messages, 'also after the browser has remembered the failure').toHaveLength(2)
})

test('a session that has ended is told in words, also if the texts arrive last', async ({
  page,
  register,
  enter,
  leaveIdle,
  toasts,
}) => {
  const member = await register()
  await enter(member)
  await leaveIdle(member, 31)
  const refused = page.waitForResponse(
    (answer) => /account\/(profile|home)/.test(answer.url()) && answer.status() === 401,
  )
  await page.route(/\/assets\/en-[^/]+\.js$/, async (route) => {
    await refused
    await route.continue()
  })
  await page.goto('/home')
  await expect(page).toHaveURL(/\/login/)
  await expect.poll(() => toasts).toEqual(['Your session has ended. Please sign in again.'])
})
