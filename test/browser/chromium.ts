import { existsSync } from 'node:fs'

/**
 * The host's browser, or Playwright's if the host has none. The headless shell comes first: the same engine without a
 * window, for two thirds of the CPU time.
 */
const executablePath = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome']
  .map((name) => `/usr/bin/${name}`)
  .find(existsSync)

export const chromiumLaunch = {
  ...(executablePath ? { executablePath } : {}),
  args: [
    '--no-sandbox',
    '--disable-gpu',
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
  ],
}
