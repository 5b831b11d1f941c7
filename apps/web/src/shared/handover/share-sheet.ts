export type ShareOutcome = 'shared' | 'put-away' | 'failed'

/** The part of `navigator` that shares. Many in-app browsers lack it. */
export type Sharing = Partial<Pick<Navigator, 'share' | 'canShare'>>

/**
 * Whether the browser can share this. Browsers without `canShare` share links only, so files need `canShare` to be
 * true.
 */
export function canShare(browser: Sharing, shared: ShareData): boolean {
  if (typeof browser.share !== 'function') return false
  if (typeof browser.canShare !== 'function') return shared.files === undefined
  return browser.canShare(shared)
}

export async function openShareSheet(browser: Sharing, shared: ShareData): Promise<ShareOutcome> {
  try {
    await browser.share?.(shared)
    return 'shared'
  } catch (error) {
    return error instanceof Error && error.name === 'AbortError' ? 'put-away' : 'failed'
  }
}
