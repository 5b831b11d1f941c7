import type { BrowserContext, Page } from '@playwright/test'

export type ClipboardLimits = {
  /** As in Android's web views: the Clipboard API is missing, or it denies every write. */
  readonly api: 'absent' | 'denied'
  /** Whether `document.execCommand('copy')` copies. */
  readonly execCommand: 'works' | 'fails'
}

/** Limits the clipboard as wallets' browsers do. */
export async function limitClipboard(page: Page, { api, execCommand }: ClipboardLimits): Promise<void> {
  await page.addInitScript(
    ([api, execCommand]) => {
      window.realClipboard = navigator.clipboard
      const denied = {
        writeText: () => Promise.reject(new DOMException('Write permission denied.', 'NotAllowedError')),
      }
      Object.defineProperty(navigator, 'clipboard', { value: api === 'absent' ? undefined : denied })
      if (execCommand === 'fails') document.execCommand = () => false
    },
    [api, execCommand] as const,
  )
}

/** The text that was really copied, whatever the page's clipboard API does. */
export async function copiedText(page: Page, context: BrowserContext): Promise<string> {
  await context.grantPermissions(['clipboard-read'])
  return page.evaluate(() => (window.realClipboard ?? navigator.clipboard).readText())
}

declare global {
  interface Window {
    realClipboard?: Clipboard
  }
}
