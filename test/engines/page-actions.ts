import { setTimeout as sleep } from 'node:timers/promises'
import type { EnginePage } from './engine.ts'

const WAIT_MS = 30_000
const POLL_MS = 50

/** Waits for a heading inside the window. */
export const waitForHeading = (page: EnginePage): Promise<void> =>
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
export const waitForPage = (page: EnginePage, path: string): Promise<void> =>
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

/** Waits for /home with its tab bar, which the risk explanation at the same address does not have. */
export async function waitForHome(page: EnginePage): Promise<void> {
  await waitUntil('the tab bar is shown', () =>
    page.run(() => (document.querySelector('#root nav')?.getClientRects().length ?? 0) > 0, null),
  )
  await waitForPage(page, '/home')
}

/** Waits for a text that is laid out: in the sheet if one is open, else on the page. */
export const waitForText = (page: EnginePage, text: string): Promise<void> =>
  waitUntil(`“${text}” is shown`, () =>
    page.run((wanted) => {
      const sheets = document.querySelectorAll('[role=dialog]')
      const isShown = (element: Element) =>
        element.getClientRects().length > 0 && (element.textContent ?? '').includes(wanted)
      return Array.from(sheets.length > 0 ? sheets : document.querySelectorAll('#root main')).some(isShown)
    }, text),
  )

/** Waits until an element in the sheet, or on the page if there is no sheet, has exactly one of these words. */
export const waitForWord = (page: EnginePage, ...words: string[]): Promise<void> =>
  waitUntil(`“${words.join('” or “')}” is shown`, () =>
    page.run((wanted) => {
      const sheet = document.querySelector('[role=dialog]')
      const elements = Array.from((sheet ?? document).querySelectorAll('*'))
      return elements.some(
        (element) => element.getClientRects().length > 0 && wanted.includes(element.textContent?.trim() ?? ''),
      )
    }, words),
  )

/**
 * Waits for an enabled button whose text begins so and that a finger can reach: the topmost element at its center.
 * Scrolls to it first, as a member would.
 */
const waitForButton = (page: EnginePage, name: string): Promise<void> =>
  waitUntil(`the button “${name}” can be pressed`, () =>
    page.run((wanted) => {
      const buttons = Array.from(document.querySelectorAll('button'))
      const isReachable = (button: HTMLButtonElement) => {
        button.scrollIntoView({ block: 'nearest' })
        const { left, top, width, height } = button.getBoundingClientRect()
        return button.contains(document.elementFromPoint(left + width / 2, top + height / 2))
      }
      const isEnabled = (button: HTMLButtonElement) =>
        !button.disabled && button.getAttribute('aria-disabled') !== 'true'
      return buttons.some(
        (button) => (button.textContent ?? '').startsWith(wanted) && isEnabled(button) && isReachable(button),
      )
    }, name),
  )

/** Presses a button whose text begins so. */
export async function press(page: EnginePage, name: string): Promise<void> {
  await waitForButton(page, name)
  await page.run((wanted) => {
    const buttons = Array.from(document.querySelectorAll('button'))
    const isReachable = (button: HTMLButtonElement) => {
      const { left, top, width, height } = button.getBoundingClientRect()
      return button.contains(document.elementFromPoint(left + width / 2, top + height / 2))
    }
    buttons.find((button) => (button.textContent ?? '').startsWith(wanted) && isReachable(button))?.click()
  }, name)
}

/** Fills in the field that has this label. The last one, if a sheet lies over a page with such a field. */
export async function fill(page: EnginePage, label: string, value: string): Promise<void> {
  await waitUntil(`the field “${label}” is shown`, () =>
    page.run(
      ([wanted, text]) => {
        const named = Array.from(document.querySelectorAll('label')).filter(
          ({ textContent, control }) => (textContent ?? '').startsWith(wanted) && control?.getClientRects().length,
        )
        const field = named.at(-1)?.control
        if (!(field instanceof HTMLInputElement) || field.disabled) return false
        field.focus()
        // React hears of a value only through the property of the class, which a member's typing uses too.
        Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(field, text)
        field.dispatchEvent(new Event('input', { bubbles: true }))
        return true
      },
      [label, value] as const,
    ),
  )
}

async function waitUntil(what: string, holds: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + WAIT_MS
  while (!(await holds())) {
    if (Date.now() > deadline) throw new Error(`After ${WAIT_MS / 1000} s it does not hold that ${what}`)
    await sleep(POLL_MS)
  }
}
