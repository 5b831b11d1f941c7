export type CopyOutcome = 'copied' | 'unsupported' | 'failed'

type CopyMethods = {
  /** The Clipboard API. Wallets' web views often lack it or deny every write. */
  readonly clipboard: Pick<Clipboard, 'writeText'> | undefined
  /** Selects the text and runs the browser's copy command. False if nothing was copied. */
  readonly copyBySelection: (text: string) => boolean
}

/**
 * Copies a text with the first method that works. If both fail, returns `unsupported` if the browser has no Clipboard
 * API, and `failed` otherwise.
 */
export async function copyText(text: string, { clipboard, copyBySelection }: CopyMethods): Promise<CopyOutcome> {
  try {
    if (clipboard) {
      await clipboard.writeText(text)
      return 'copied'
    }
  } catch {
    // The browser denied the write. Copying by selection may still work.
  }
  if (copyBySelection(text)) return 'copied'
  return clipboard ? 'failed' : 'unsupported'
}
