export type CopyOutcome = 'copied' | 'unsupported' | 'failed'

/** Many in-app browsers have no clipboard to write to, and say so only by its absence. */
export async function writeClipboard(
  clipboard: Pick<Clipboard, 'writeText'> | undefined,
  text: string,
): Promise<CopyOutcome> {
  if (!clipboard) return 'unsupported'
  try {
    await clipboard.writeText(text)
    return 'copied'
  } catch {
    return 'failed'
  }
}
