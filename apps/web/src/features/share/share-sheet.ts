type Shared = { readonly title: string; readonly text: string; readonly url: string }

export type ShareOutcome = 'shared' | 'put-away' | 'failed'

type Sharing = { share?: (shared: Shared) => Promise<void>; canShare?: (shared: Shared) => boolean }

/** Whether there is a system sheet for it; many in-app browsers have none. */
export const canShare = (browser: Sharing, shared: Shared): boolean =>
  typeof browser.share === 'function' && (browser.canShare?.(shared) ?? true)

export async function openShareSheet(browser: Sharing, shared: Shared): Promise<ShareOutcome> {
  try {
    await browser.share?.(shared)
    return 'shared'
  } catch (error) {
    return error instanceof Error && error.name === 'AbortError' ? 'put-away' : 'failed'
  }
}
