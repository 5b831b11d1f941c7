import type { Page, Route } from '@playwright/test'
import { loadAxe, violations } from '../a11y/axe.ts'
import { expect, test } from '../browser/test.ts'

const ENTRY = /\/assets\/index-[^/]+\.js$/
const IMPORTED = /\/assets\/react-[^/]+\.js$/

const answerWithScript = (body: string) => (route: Route) => route.fulfill({ contentType: 'text/javascript', body })
const answerNotFound = (route: Route) => route.fulfill({ status: 404, body: '' })

const titles = ['Page initialization failed', '頁面初始化失敗', '页面初始化失败'] as const
const retry = (page: Page) => page.getByRole('button', { name: 'Try again' })

test.describe('an app that cannot start explains in three languages what to do', () => {
  const causes: [what: string, file: RegExp, answer: (route: Route) => Promise<void>][] = [
    ['its script throws', ENTRY, answerWithScript('Promise.notYetInvented()')],
    ['its script is in a language that the browser does not know', ENTRY, answerWithScript('let x = |> y')],
    ['its script is missing', ENTRY, answerNotFound],
    ['a script that it imports lacks what it needs', IMPORTED, answerWithScript('export {}')],
    ['a script that it imports is missing', IMPORTED, answerNotFound],
    ['the network ends', ENTRY, (route) => route.abort('connectionreset')],
  ]
  for (const [what, file, answer] of causes) {
    test(`when ${what}`, async ({ page, stack, expectedErrors }) => {
      expectedErrors.push(/notYetInvented/, /Unexpected token/, /does not provide an export/)
      await page.route(file, answer)
      await page.goto('/regist?invite=ABCDEFGH')
      for (const title of titles) await expect(page.getByRole('heading', { name: title })).toBeVisible()
      await expect(page.getByRole('alert')).toContainText('update your wallet app or your browser')
      await expect(page.getByText(`${stack.origin}/regist?invite=ABCDEFGH`)).toBeVisible()

      await page.unrouteAll()
      await retry(page).click()
      await expect(page.getByRole('button', { name: 'Connect wallet' })).toBeVisible()
      await expect(page.getByRole('heading', { name: titles[0] })).toBeHidden()
    })
  }

  test('when the browser has no module scripts', async ({ page }) => {
    await page.addInitScript(() => Reflect.deleteProperty(HTMLScriptElement.prototype, 'noModule'))
    // An old browser would not run this script at all.
    await page.route(ENTRY, answerWithScript(''))
    await page.goto('/login')
    for (const title of titles) await expect(page.getByRole('heading', { name: title })).toBeVisible()
  })

  for (const [lang, first] of [
    ['en', titles[0]],
    ['zh_tw', titles[1]],
    ['zh_cn', titles[2]],
  ] as const) {
    test(`with the chosen language ${lang} first`, async ({ page }) => {
      await page.route(ENTRY, answerNotFound)
      await page.addInitScript((chosen) => localStorage.setItem('lang', chosen), lang)
      await page.goto('/login')
      await expect(page.getByRole('heading')).toHaveCount(3)
      await expect(page.getByRole('heading').first()).toHaveText(first)
    })
  }

  test('fits a narrow phone and is accessible, in both themes', async ({ page }) => {
    await page.route(ENTRY, answerNotFound)
    for (const width of [390, 320]) {
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.setViewportSize({ width, height: 844 })
        await page.emulateMedia({ colorScheme })
        await page.goto('/regist?invite=ABCDEFGH')
        await retry(page).scrollIntoViewIfNeeded()
        await expect(retry(page)).toBeInViewport({ ratio: 1 })
        expect(await page.evaluate(() => document.querySelector('main')?.scrollWidth)).toBeLessThanOrEqual(width)
        await loadAxe(page)
        expect(await violations(page), `${width} ${colorScheme}`).toEqual([])
      }
    }
  })
})

test.describe('an app that starts', () => {
  test('shows no failure while it loads, nor for an error of a wallet’s script', async ({ page, expectedErrors }) => {
    expectedErrors.push(/the wallet’s own error/)
    await page.addInitScript(() => {
      setTimeout(() => {
        throw new Error('the wallet’s own error')
      })
    })
    let deliver = () => {}
    const delivered = new Promise<void>((resolve) => {
      deliver = resolve
    })
    await page.route(ENTRY, async (route) => {
      await delivered
      await route.continue()
    })
    const failed = page.waitForEvent('pageerror')
    await page.goto('/login', { waitUntil: 'commit' })
    await failed
    await page.waitForTimeout(1_000)
    await expect(page.locator('#root')).toBeEmpty()
    deliver()
    await expect(page.getByRole('button', { name: 'Connect wallet' })).toBeVisible()
    await expect(page.getByRole('heading', { name: titles[0] })).toBeHidden()
  })
})
