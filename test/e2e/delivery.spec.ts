import type { Response } from '@playwright/test'
import { expect, test } from '../browser/test.ts'

test.describe('the delivered web app', () => {
  test('has a content security policy without inline code on every page', async ({ page, register, enter }) => {
    const look = async (path: string) => {
      const response = await page.goto(path)
      const policy = response?.headers()['content-security-policy'] ?? ''
      expect(policy, path).toMatch(/script-src 'self'(;|$)/)
      expect(policy, path).toMatch(/style-src 'self'(;|$)/)
      expect(policy, path).not.toMatch(/unsafe/)
      await expect(page.getByRole('main').first()).toBeVisible()
    }
    for (const path of ['/login', '/regist', '/403', '/404', '/500']) await look(path)
    await enter(await register())
    for (const path of ['/home', '/setting', '/nowhere']) await look(path)
  })

  test('blocks an injected script', async ({ page, expectedErrors }) => {
    expectedErrors.push(/security policy: (?:script-src|require-trusted-types-for)/, /TrustedScript/)
    await page.goto('/login')
    const ran = await page.evaluate(() => {
      const script = document.createElement('script')
      script.append('window.injected = true')
      document.body.append(script)
      return window.injected === true
    })
    expect(ran).toBe(false)
    const assigned = page.evaluate(() => {
      document.createElement('script').textContent = 'window.injected = true'
    })
    await expect(assigned).rejects.toThrow(/TrustedScript/)
  })

  test('is compressed, cached by file name, and small until /login is usable', async ({ page }) => {
    const files: Response[] = []
    page.on('response', (response) => {
      if (/\.(?:js|css)$/.test(new URL(response.url()).pathname)) files.push(response)
    })
    const response = await page.goto('/login')
    expect(response?.headers()['cache-control']).toBe('no-cache')
    await expect(page.getByRole('button').first()).toBeVisible()

    expect(files.length).toBeGreaterThan(3)
    let transferred = 0
    for (const file of files) {
      const headers = await file.allHeaders()
      expect(headers['content-encoding'], file.url()).toMatch(/^(?:br|gzip)$/)
      if (file.url().includes('/assets/')) expect(headers['cache-control'], file.url()).toContain('immutable')
      transferred += (await file.request().sizes()).responseBodySize
    }
    expect(transferred).toBeLessThan(170_000)
  })

  test('is painted before the wallet code is loaded', async ({ page, giveWallet }) => {
    await giveWallet()
    let deliver = () => {}
    const delivered = new Promise<void>((resolve) => {
      deliver = resolve
    })
    await page.route(/\/assets\/chain-[^/]+\.js$/, async (route) => {
      await delivered
      await route.continue()
    })
    await page.goto('/login', { waitUntil: 'commit' })
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await expect(page.getByRole('combobox', { name: 'Language' })).toBeEnabled()
    const wallet = page.getByRole('button', { name: 'Continue with Plain Wallet' })
    await expect(wallet).toBeHidden()
    deliver()
    await expect(wallet).toBeVisible()
  })

  test('answers 404 for a missing script instead of a page', async ({ request }) => {
    const gone = await request.get('/assets/gone-00000000.js', { headers: { accept: '*/*' } })
    expect(gone.status()).toBe(404)
    expect(gone.headers()['content-type']).not.toContain('html')
  })

  test('can be added to a home screen and opens there with a visible address bar', async ({ page, request }) => {
    await page.goto('/login')
    const manifest = await request.get((await page.locator('link[rel=manifest]').getAttribute('href')) ?? '')
    expect(manifest.headers()['content-type']).toMatch(/^application\/manifest\+json/)
    const { name, start_url, scope, display, icons } = (await manifest.json()) as Manifest
    // Members are told to read the address before they sign, so the address bar is never hidden.
    expect({ name, start_url, scope, display }).toEqual({
      name: 'Lode',
      start_url: '/',
      scope: '/',
      display: 'minimal-ui',
    })
    expect(icons.map(({ purpose = 'any' }) => purpose)).toContain('maskable')
    for (const { src, sizes, type } of icons) {
      const icon = await request.get(src)
      expect(icon.headers()['content-type'], src).toBe(type)
      if (type === 'image/png') expect(sizeOfPng(await icon.body()), src).toBe(sizes)
    }
    const touchIcon = await request.get((await page.locator('link[rel=apple-touch-icon]').getAttribute('href')) ?? '')
    expect(touchIcon.headers()['content-type']).toBe('image/png')
    expect(sizeOfPng(await touchIcon.body())).toBe('180x180')
  })

  test('has no service worker, which could keep serving an old build', async ({
    page,
    register,
    enter,
    expectedErrors,
  }) => {
    await enter(await register())
    await page.goto('/home')
    await expect(page.getByRole('main').first()).toBeVisible()
    expect(await page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length)).toBe(0)
    expectedErrors.push(/security policy: (?:worker-src|require-trusted-types-for)/)
    const registered = page.evaluate(() => navigator.serviceWorker.register('/prepaint.js').then(() => true))
    await expect(registered).rejects.toThrow(/SecurityError|policy|TrustedScriptURL/i)
  })
})

type Manifest = {
  name: string
  start_url: string
  scope: string
  display: string
  icons: { src: string; sizes: string; type: string; purpose?: string }[]
}

/** Reads width and height from the first chunk of the file. */
const sizeOfPng = (file: Buffer): string => `${file.readUInt32BE(16)}x${file.readUInt32BE(20)}`
