import { setTimeout as sleep } from 'node:timers/promises'
import type { BrowserStack } from '../browser/stack.ts'
import type { EnginePage } from './engine.ts'

type Check = {
  readonly name: string
  run(page: EnginePage, stack: BrowserStack): Promise<void>
}

const WALLET_BUTTON = 'Continue with Plain Wallet'
const WAIT_MS = 20_000

/** Every page of a member that opens by its address alone. */
const memberPages = [
  '/home',
  '/wallet',
  '/wallet/detail?symbol=USDT',
  '/wallet/statement',
  '/promotion',
  '/promotion/reward',
  '/pledge',
  '/pledge/detail',
  '/teams',
  '/teams/maps',
  '/setting',
  '/setting/transfer',
  '/setting/subscribe',
  '/setting/dao',
  '/setting/notice',
  '/setting/help',
  '/share',
]

/** What must work in every engine, in this order. A later check may depend on an earlier one. */
export const checks: readonly Check[] = [
  {
    name: 'login',
    async run(page, { origin }) {
      await page.open(`${origin}/login`)
      await waitForHeading(page)
      await waitForButton(page, WALLET_BUTTON)
    },
  },
  {
    name: 'regist',
    async run(page, { origin, rootCode }) {
      await page.open(`${origin}/regist?invite=${rootCode}`)
      await waitForHeading(page)
      await waitForButton(page, WALLET_BUTTON)
    },
  },
  {
    name: 'signing-in',
    async run(page, { origin }) {
      await page.open(`${origin}/login`)
      await press(page, WALLET_BUTTON)
      await waitUntil('the tab bar is there', () => page.run(() => document.querySelector('#root nav') !== null, null))
      await waitForPage(page, '/home')
    },
  },
  ...memberPages.map((path) => ({
    name: `member${path.replace(/\?.*/, '').replaceAll('/', '-')}`,
    async run(page: EnginePage, { origin }: BrowserStack) {
      await page.open(`${origin}${path}`)
      await waitForPage(page, new URL(path, origin).pathname)
    },
  })),
]

/** Waits for a heading inside the window. */
const waitForHeading = (page: EnginePage): Promise<void> =>
  waitUntil('a heading is shown', () =>
    page.run(() => {
      const isShown = (heading: Element) => {
        const { width, height, top } = heading.getBoundingClientRect()
        return width > 1 && height > 1 && top < innerHeight && heading.textContent !== ''
      }
      return Array.from(document.querySelectorAll('#root h1')).some(isShown)
    }, null),
  )

/**
 * Waits until a member's page is loaded: it has its address, a name and content, and shows no failure. The name of a
 * tab is for screen readers only, so the size of the content is measured, not that of the heading.
 */
const waitForPage = (page: EnginePage, path: string): Promise<void> =>
  waitUntil(`${path} is shown`, () =>
    page.run((wanted) => {
      const hasName = Array.from(document.querySelectorAll('#root h1')).some(({ textContent }) => textContent !== '')
      const hasContent = (main: Element) => {
        const { width, height } = main.getBoundingClientRect()
        const text = main.textContent ?? ''
        return width > 300 && height > 300 && text.length > 40 && !/NET ERROR|page failed|not found/i.test(text)
      }
      return (
        location.pathname === wanted && hasName && Array.from(document.querySelectorAll('#root main')).some(hasContent)
      )
    }, path),
  )

/** Waits for a button that a finger can reach: the topmost element at its center. */
const waitForButton = (page: EnginePage, name: string): Promise<void> =>
  waitUntil(`the button “${name}” is shown`, () =>
    page.run((wanted) => {
      const button = Array.from(document.querySelectorAll('button')).find(({ textContent }) => textContent === wanted)
      if (!button) return false
      const { left, top, width, height } = button.getBoundingClientRect()
      return button.contains(document.elementFromPoint(left + width / 2, top + height / 2))
    }, name),
  )

async function press(page: EnginePage, name: string): Promise<void> {
  await waitForButton(page, name)
  await page.run((wanted) => {
    const button = Array.from(document.querySelectorAll('button')).find(({ textContent }) => textContent === wanted)
    button?.click()
  }, name)
}

async function waitUntil(what: string, holds: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + WAIT_MS
  while (!(await holds())) {
    if (Date.now() > deadline) throw new Error(`After ${WAIT_MS / 1000} s it does not hold that ${what}`)
    await sleep(100)
  }
}
