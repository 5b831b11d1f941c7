export type ShareOutcome = 'shared' | 'put-away' | 'failed'

/** The part of `navigator` that shares. Many in-app browsers have none of it. */
export type Sharing = Partial<Pick<Navigator, 'share' | 'canShare'>>

/** Whether there is a system sheet for it. Browsers that share links only have no `canShare`, so files need its yes. */
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
