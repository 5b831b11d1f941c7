import type { Page } from '@playwright/test'
import { expect, test } from '../browser/test.ts'

const ground = { paper: 'rgb(246, 244, 239)', shaft: 'rgb(15, 18, 22)' }
const bars = { paper: '#F6F4EF', shaft: '#0F1216' }

/** The color of the browser's bars: the first theme-color tag whose media query matches. */
const paintOfBars = (page: Page) =>
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
      await expect(page.locator('body')).toHaveCSS('background-color', ground[theme])
      expect(await paintOfBars(page)).toBe(bars[theme])
      await page.emulateMedia({ colorScheme: scheme === 'light' ? 'dark' : 'light' })
      await expect(page.locator('html')).not.toHaveAttribute('data-theme', theme)
    })
  }

  test('chosen by the member stays, whatever the device says, and is there before the first paint', async ({
    page,
    register,
    enter,
  }) => {
    await enter(await register())
    await page.goto('/setting')
    await page.getByRole('radio', { name: 'Dark' }).check()
    await expect(page.locator('html')).toHaveAttribute('data-theme', 'shaft')
    expect(await paintOfBars(page)).toBe(bars.shaft)
    await page.emulateMedia({ colorScheme: 'light' })
    await page.reload({ waitUntil: 'commit' })
    // Before any of the app's code has run.
    await page.waitForFunction(() => document.documentElement.dataset.theme !== undefined)
    expect(await page.evaluate(() => document.documentElement.dataset.theme)).toBe('shaft')
    await expect(page.getByRole('radio', { name: 'Dark' })).toBeChecked()
  })
})
