import type { BrowserContext } from '@playwright/test'
import type { MemberWallet } from './wallet.ts'

/** How long the wallet's node takes for every answer. */
const SLOW_NODE_MS = 400

/**
 * Makes a browser as poor as the WebView of a wallet on a phone: no clipboard, downloads, print, new windows or share
 * sheet, and an on-screen keyboard that covers the lower half of the page, as on iOS.
 */
export async function limitToWebView(context: BrowserContext): Promise<void> {
  await context.addInitScript(() => {
    const hide = (object: object, key: string) => Object.defineProperty(object, key, { value: undefined })
    for (const key of ['clipboard', 'share', 'canShare', 'locks']) hide(navigator, key)
    document.execCommand = () => false
    window.print = () => {}
    window.open = () => null
    // A WebView without a download handler ignores links to files.
    document.addEventListener('click', (event) => {
      const link = event.composedPath().find((one) => one instanceof HTMLAnchorElement)
      if (link?.hasAttribute('download')) event.preventDefault()
    })

    const viewport = window.visualViewport
    if (!viewport) return
    let isKeyboardOpen = false
    Object.defineProperty(viewport, 'height', { get: () => (isKeyboardOpen ? innerHeight / 2 : innerHeight) })
    const isField = (target: EventTarget | null) =>
      target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement
    const setKeyboard = (open: boolean) => {
      isKeyboardOpen = open
      viewport.dispatchEvent(new Event('resize'))
    }
    let closing: ReturnType<typeof setTimeout> | undefined
    addEventListener('focusin', ({ target }) => {
      clearTimeout(closing)
      if (isField(target)) setKeyboard(true)
      else closing = setTimeout(setKeyboard, 300, false)
    })
    // A keyboard leaves slowly, after the tap that took the focus away.
    addEventListener('focusout', () => {
      clearTimeout(closing)
      closing = setTimeout(setKeyboard, 300, false)
    })
  })
}

/** The wallet's node is slow and refuses to search its logs. */
export function limitNode(wallet: MemberWallet): void {
  wallet.setMisbehavior('does-not-know-how', 'eth_getLogs')
  wallet.nodeDelayMs = SLOW_NODE_MS
}

/** WebViews lose what a page has stored between two visits. Cookies stay. */
export const emptyStorage = async (context: BrowserContext): Promise<void> => {
  for (const page of context.pages())
    await page.evaluate(() => {
      localStorage.clear()
      sessionStorage.clear()
    })
}
