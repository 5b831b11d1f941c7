export type CopyOutcome = 'copied' | 'unsupported' | 'failed'

type Ways = {
  /** The Clipboard API. Wallets' web views often lack it or deny every write. */
  readonly clipboard: Pick<Clipboard, 'writeText'> | undefined
  /** The older method. False if nothing was copied. */
  readonly copyBySelection: (text: string) => boolean
}

/**
 * Copies a text with the first method that works. If none works: `unsupported` without a Clipboard API, else `failed`.
 */
export async function copyText(text: string, { clipboard, copyBySelection }: Ways): Promise<CopyOutcome> {
  try {
    if (clipboard) {
      await clipboard.writeText(text)
      return 'copied'
    }
  } catch {
    // Denied: the older method may still work.
  }
  if (copyBySelection(text)) return 'copied'
  return clipboard ? 'failed' : 'unsupported'
}
