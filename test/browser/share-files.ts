import type { Page } from '@playwright/test'

export type SharedFile = { readonly name: string; readonly type: string; readonly size: number }

/** Gives the browser a share sheet that accepts files, as on phones. `ends`: how the sheet closes. */
export async function mockShareSheet(page: Page, ends: 'shared' | 'put away' | 'not allowed'): Promise<void> {
  await page.addInitScript((ends) => {
    window.sharedFiles = []
    const share = async ({ files = [] }: ShareData) => {
      window.sharedFiles = files.map(({ name, type, size }) => ({ name, type, size }))
      if (ends === 'put away') throw new DOMException('Share canceled', 'AbortError')
      if (ends === 'not allowed') throw new DOMException('No press of the member', 'NotAllowedError')
    }
    Object.defineProperty(navigator, 'share', { value: share })
    Object.defineProperty(navigator, 'canShare', { value: () => true })
  }, ends)
}

export const readSharedFiles = (page: Page): Promise<SharedFile[]> =>
  page.evaluate(() => window.sharedFiles as SharedFile[])

/** Counts the downloads that the page starts from now on. */
export function countDownloads(page: Page): () => number {
  let downloads = 0
  page.on('download', () => {
    downloads += 1
  })
  return () => downloads
}
