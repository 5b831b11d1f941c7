import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { defineConfig } from '@playwright/test'

const artifacts = resolve(import.meta.dirname, '../artifacts')
const chromium = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(existsSync)

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
    // Keeping a trace costs a quarter of a test's time. Whoever looks into a failure asks for one: `pnpm e2e FILE --trace on`.
    trace: 'off',
    launchOptions: {
      ...(chromium ? { executablePath: chromium } : {}),
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
      ],
    },
  },
  projects: [
    { name: 'e2e', testDir: './e2e' },
    { name: 'a11y', testDir: './a11y', timeout: 90_000 },
    { name: 'shots', testDir: './shots', timeout: 90_000 },
  ],
})
