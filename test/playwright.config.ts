import { resolve } from 'node:path'
import { defineConfig } from '@playwright/test'
import { chromiumLaunch } from './browser/chromium.ts'

const artifacts = resolve(import.meta.dirname, '../artifacts')

/**
 * Specs with a stack of their own. They mostly wait: for blocks, for a node that does not answer, for a relay. So they
 * run beside the others, which keep the processors busy.
 */
const waiting = [
  ...['dao-history', 'deposit', 'deposit-chain', 'deposit-resumed', 'home', 'lost-answer', 'member-journey'],
  ...['missing-money', 'notice-plan', 'payment-reads', 'pledge', 'pledge-production', 'promotion', 'transfer-paid'],
  ...['vault-announcements', 'wallet-webview'],
].map((name) => `**/${name}.spec.ts`)
/**
 * The limit of these tests is only there to end a test that hangs. It is larger than the sum of the waits of each of
 * them for the chain, the operators or a relay, which a busy machine may need in full.
 */
const WAITING_TEST_MS = 300_000
/** The longest file. Its tests run one after the other, from the start of the run, so that nothing waits for them. */
const longest = '**/walletconnect.spec.ts'

/**
 * The browser tests: those whose name begins with `e2e` test the product, `a11y` its accessibility, and `shots` takes
 * pictures. One real stack for the run. No retries: a test that sometimes fails is broken or has found a bug.
 */
export default defineConfig({
  globalSetup: './browser/setup.ts',
  outputDir: resolve(artifacts, 'playwright'),
  fullyParallel: true,
  // One more than processors, and at most two of a project, so that tests that wait leave no processor idle.
  workers: 3,
  retries: 0,
  forbidOnly: true,
  // A busy machine is several times slower than an idle one, where no test takes longer than 40 s.
  timeout: 120_000,
  expect: { timeout: 10_000 },
  reporter: [['list'], ['json', { outputFile: process.env.PLAYWRIGHT_JSON ?? resolve(artifacts, 'playwright.json') }]],
  use: {
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    locale: 'en-US',
    timezoneId: 'UTC',
    // The certificate of a cluster signs itself.
    ignoreHTTPSErrors: process.env.LODE_STACK === 'cluster',
    colorScheme: 'light',
    // Animations cost CPU time and nobody sees them. A file that tests animations sets `moving`.
    contextOptions: { reducedMotion: 'reduce' },
    // Records actions and answers, without video and page snapshots, which cost as much as the test itself. Use
    // `--trace on` to analyze a failure.
    trace: { mode: 'retain-on-failure', screenshots: false, snapshots: false },
    launchOptions: chromiumLaunch,
  },
  projects: [
    { name: 'e2e-longest', testDir: './e2e', testMatch: longest, timeout: WAITING_TEST_MS, workers: 1 },
    { name: 'e2e-waiting', testDir: './e2e', testMatch: waiting, timeout: WAITING_TEST_MS, workers: 2 },
    { name: 'e2e', testDir: './e2e', testIgnore: [longest, ...waiting], workers: 2 },
    { name: 'a11y', testDir: './a11y', workers: 2, use: { trace: 'off' } },
    { name: 'shots', testDir: './shots', workers: 2, use: { trace: 'off' } },
  ],
})
