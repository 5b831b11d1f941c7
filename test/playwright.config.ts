import { resolve } from 'node:path'
import { defineConfig } from '@playwright/test'
import { chromiumLaunch } from './browser/chromium.ts'

const artifacts = resolve(import.meta.dirname, '../artifacts')

/**
 * The browser tests: `e2e` shows what the product does, `a11y` that everybody can use it, `shots` how it looks. One real stack
 * for the run. No retries: a test that sometimes fails is broken, or has found something that is.
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
    // What glides is drawn sixty times a second for nobody; where the gliding itself could be in the way, a file says `moving`.
    contextOptions: { reducedMotion: 'reduce' },
    // What was done and answered, without film and without copies of the page: those two cost as much as the test itself. For a
    // failure that is looked into there is `--trace on`.
    trace: { mode: 'retain-on-failure', screenshots: false, snapshots: false },
    launchOptions: chromiumLaunch,
  },
  projects: [
    { name: 'e2e', testDir: './e2e' },
    { name: 'a11y', testDir: './a11y', timeout: 90_000, use: { trace: 'off' } },
    { name: 'shots', testDir: './shots', timeout: 90_000, use: { trace: 'off' } },
  ],
})
