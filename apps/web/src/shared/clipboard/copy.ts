export type CopyOutcome = 'copied' | 'unsupported' | 'failed'

type Ways = {
  /** The Clipboard API. Web views of wallets often lack it, or deny every write. */
  readonly clipboard: Pick<Clipboard, 'writeText'> | undefined
  /** The older way. False where nothing was copied. */
  readonly copyBySelection: (text: string) => boolean
}

/** Copies a text by whichever way the browser allows. Where none works: `unsupported` without a Clipboard API, else `failed`. */
export async function copyText(text: string, { clipboard, copyBySelection }: Ways): Promise<CopyOutcome> {
  try {
    if (clipboard) {
      await clipboard.writeText(text)
      return 'copied'
    }
  } catch {
    // Denied: the older way may still work.
  }
  if (copyBySelection(text)) return 'copied'
  return clipboard ? 'failed' : 'unsupported'
}
