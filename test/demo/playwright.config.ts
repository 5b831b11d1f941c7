import { defineConfig } from '@playwright/test'
import browser from '../playwright.config.ts'
import { readyUrl, repository } from './dev-stack.ts'

const { globalSetup: _, projects: __, ...shared } = browser

/** Pictures of the demo. Uses the running demo, or starts one, which is made if it does not exist. */
export default defineConfig({
  ...shared,
  workers: 1,
  timeout: 120_000,
  webServer: {
    command: 'node scripts/dev.ts --demo',
    cwd: repository,
    url: readyUrl(),
    reuseExistingServer: true,
    timeout: 420_000,
    gracefulShutdown: { signal: 'SIGINT', timeout: 20_000 },
  },
  projects: [{ name: 'demo', testDir: '.', testMatch: '*.spec.ts', use: { trace: 'off' } }],
})
