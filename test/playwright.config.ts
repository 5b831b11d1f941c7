import { resolve } from 'node:path'
import { defineConfig } from '@playwright/test'
import { chromiumLaunch } from './browser/chromium.ts'

const artifacts = resolve(import.meta.dirname, '../artifacts')

/**
 * The browser tests: `e2e` tests the product, `a11y` its accessibility, and `shots` takes pictures. One real stack for
 * the run. No retries: a test that sometimes fails is broken or has found a bug.
 */
export default defineConfig({
  globalSetup: './browser/setup.ts',
  outputDir: resolve(artifacts, 'playwright'),
  fullyParallel: true,
  workers: 2,
  retries: 0,
  forbidOnly: true,
  timeout: 30_000,
  expect: { timeout: 5_000 },
  reporter: [['list'], ['json', { outputFile: process.env.PLAYWRIGHT_JSON ?? resolve(artifacts, 'playwright.json') }]],
  use: {
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    locale: 'en-US',
    timezoneId: 'UTC',
    colorScheme: 'light',
    // Animations cost CPU time and nobody sees them. A file that tests animations sets `moving`.
    contextOptions: { reducedMotion: 'reduce' },
    // Records actions and answers, without video and page snapshots, which cost as much as the test itself. Use
    // `--trace on` to analyze a failure.
    trace: { mode: 'retain-on-failure', screenshots: false, snapshots: false },
    launchOptions: chromiumLaunch,
  },
  projects: [
    { name: 'e2e', testDir: './e2e' },
    { name: 'a11y', testDir: './a11y', timeout: 90_000, use: { trace: 'off' } },
    { name: 'shots', testDir: './shots', timeout: 90_000, use: { trace: 'off' } },
  ],
})
