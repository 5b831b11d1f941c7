import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { freePort, type RunningProcess, startProcess } from '@lode/scripts/process'
import type { MemberWallet } from '../browser/wallet.ts'
import type { RunningEngine } from './engine.ts'
import { answerQueue, bodyOfCall, type RunBody, readPageErrors } from './queued-wallet.ts'

const driver = '/usr/bin/WebKitWebDriver'
const browser = '/usr/lib/x86_64-linux-gnu/webkit2gtk-4.1/MiniBrowser'
const screen = '/usr/bin/Xvfb'

/**
 * Debian's WebKitGTK, driven by WebDriver, on a screen in memory. WebDriver has no scripts that run before those of the
 * page, so the wallet appears after the page has loaded, as some wallets do. Errors before that moment are not seen
 * here; the checks see a page that did not start.
 */
export async function startWebKit(wallet: MemberWallet): Promise<RunningEngine> {
  for (const file of [driver, browser, screen])
    if (!existsSync(file)) throw new Error(`There is no ${file}: run scripts/bootstrap --engines`)
  const started: RunningProcess[] = []
  const stop = async () => {
    for (const each of started.toReversed()) await each.stop()
  }
  try {
    const display = await startScreen(started)
    const port = await freePort()
    const address = `http://127.0.0.1:${port}`
    // Its sandbox needs rights that containers lack. The only pages here are our own.
    const settings = { WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: '1', LIBGL_ALWAYS_SOFTWARE: '1', LANG: 'en_US.UTF-8' }
    started.push(
      await startProcess({
        name: 'WebKitWebDriver',
        command: driver,
        args: [`--port=${port}`],
        env: { ...process.env, ...settings, DISPLAY: display },
        ready: async () => (await fetch(`${address}/status`).catch(() => undefined))?.ok === true,
      }),
    )
    return await openSession(address, wallet, stop)
  } catch (error) {
    await stop()
    throw error
  }
}

/** Starts a screen in memory, which prints its number when it is ready. */
async function startScreen(started: RunningProcess[]): Promise<string> {
  const lines: string[] = []
  started.push(
    await startProcess({
      name: 'Xvfb',
      command: screen,
      args: ['-displayfd', '1', '-screen', '0', '800x1200x24', '-nolisten', 'tcp'],
      ready: async () => lines.length > 0,
      onLine: (line) => lines.push(line),
    }),
  )
  return `:${lines[0]}`
}

async function openSession(address: string, wallet: MemberWallet, stop: () => Promise<void>): Promise<RunningEngine> {
  const browserOptions = { 'webkitgtk:browserOptions': { binary: browser, args: ['--automation'] } }
  const { sessionId, capabilities } = await call<{ sessionId: string; capabilities: { browserVersion: string } }>(
    `${address}/session`,
    { capabilities: { alwaysMatch: browserOptions } },
  )
  const session = `${address}/session/${sessionId}`
  const runBody: RunBody = (script) => call(`${session}/execute/sync`, { script, args: [] })
  const errors: string[] = []
  await setPageSize(session, runBody)
  return {
    version: capabilities.browserVersion,
    page: {
      open: async (url) => void (await call(`${session}/url`, { url })),
      run: async (inPage, argument) => {
        await answerQueue(wallet, runBody)
        const result = JSON.parse(await runBody(bodyOfCall(inPage, argument)))
        errors.push(...(await readPageErrors(runBody)))
        return result
      },
      errors,
      screenshot: async (file) => writeFile(file, await call<string>(`${session}/screenshot`), 'base64'),
    },
    close: async () => {
      await fetch(session, { method: 'DELETE' })
      await stop()
    },
  }
}

/** Makes the page as large as a phone's. The window has a toolbar, so it is larger than the page. */
async function setPageSize(session: string, runBody: RunBody): Promise<void> {
  await call(`${session}/window/rect`, { width: 390, height: 844 })
  const [width = 0, height = 0] = JSON.parse(await runBody('return JSON.stringify([innerWidth, innerHeight])'))
  await call(`${session}/window/rect`, { width: 390 + (390 - width), height: 844 + (844 - height) })
}

/** Sends a WebDriver command: a POST with a body, or a GET. */
async function call<Value>(url: string, body?: object): Promise<Value> {
  const response = await fetch(url, body ? { method: 'POST', body: JSON.stringify(body) } : {})
  const { value } = (await response.json()) as { value: Value & { message?: string } }
  if (!response.ok) throw new Error(`${url} answered ${value.message}`)
  return value
}
