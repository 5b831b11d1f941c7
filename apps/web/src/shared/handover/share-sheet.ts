export type ShareOutcome = 'shared' | 'put-away' | 'failed'

/** The part of `navigator` that shares. Many in-app browsers lack it. */
export type ShareApi = Partial<Pick<Navigator, 'share' | 'canShare'>>

/**
 * Whether the browser can share this data. A browser without `canShare` can share links only, so without it the answer
 * for files is false.
 */
export function canShare(browser: ShareApi, data: ShareData): boolean {
  if (typeof browser.share !== 'function') return false
  if (typeof browser.canShare !== 'function') return data.files === undefined
  return browser.canShare(data)
}

export async function openShareSheet(browser: ShareApi, data: ShareData): Promise<ShareOutcome> {
  try {
    await browser.share?.(data)
    return 'shared'
  } catch (error) {
    return error instanceof Error && error.name === 'AbortError' ? 'put-away' : 'failed'
  }
}
