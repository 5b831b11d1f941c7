import type { Page } from '@playwright/test'
import { expect, test } from '../browser/test.ts'

const backgrounds = { paper: 'rgb(246, 244, 239)', shaft: 'rgb(15, 18, 22)' }
const barColors = { paper: '#F6F4EF', shaft: '#0F1216' }

/** The color of the browser's bars: the first theme-color tag whose media query matches. */
const readBarColor = (page: Page) =>
  page.evaluate(
    () =>
      Array.from(document.querySelectorAll<HTMLMetaElement>('meta[name=theme-color]')).find(
        ({ media }) => matchMedia(media || 'all').matches,
      )?.content,
  )

test.describe('the theme', () => {
  for (const [scheme, theme] of [
    ['light', 'paper'],
    ['dark', 'shaft'],
  ] as const) {
    test(`of a ${scheme} device is ${theme}`, async ({ page }) => {
      await page.emulateMedia({ colorScheme: scheme })
      await page.goto('/login')
      await expect(page.locator('html')).toHaveAttribute('data-theme', theme)
      await expect(page.locator('body')).toHaveCSS('background-color', backgrounds[theme])
      expect(await readBarColor(page)).toBe(barColors[theme])
      await page.emulateMedia({ colorScheme: scheme === 'light' ? 'dark' : 'light' })
      await expect(page.locator('html')).not.toHaveAttribute('data-theme', theme)
    })
  }

  test('chosen by the member overrides the device, and is applied before the first paint', async ({
    page,
    register,
    enter,
  }) => {
    await enter(await register())
    await page.goto('/setting')
    await page.getByRole('radio', { name: 'Dark' }).check()
    await expect(page.locator('html')).toHaveAttribute('data-theme', 'shaft')
    expect(await readBarColor(page)).toBe(barColors.shaft)
    await page.emulateMedia({ colorScheme: 'light' })
    await page.reload({ waitUntil: 'commit' })
    // Before any of the app's code has run.
    await page.waitForFunction(() => document.documentElement.dataset.theme !== undefined)
    expect(await page.evaluate(() => document.documentElement.dataset.theme)).toBe('shaft')
    await expect(page.getByRole('radio', { name: 'Dark' })).toBeChecked()
  })
})
