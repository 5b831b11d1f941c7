import { canShare, openShareSheet, type ShareApi } from './share-sheet.ts'

/**
 * The outcome of handing a file over. `shared`: the member gave it to an app. `put-away`: the member closed the share
 * sheet. `download`: the browser was asked to download it and does not report whether it did.
 */
export type HandOverOutcome = 'shared' | 'put-away' | 'download'

type HandOverPorts = {
  readonly browser: ShareApi
  /** True on a device with a touch screen as main pointer. */
  readonly isTouch: boolean
  readonly download: (file: File) => void
}

/**
 * Gives the member a file. On a phone it opens the system's share sheet, which has "Save to files" and "Save image":
 * wallets' web views ignore downloads, and phone browsers hide them. On a desktop it downloads. Wallets are not
 * recognized by name, because a list of names would never be complete.
 */
export async function handOver(file: File, { browser, isTouch, download }: HandOverPorts): Promise<HandOverOutcome> {
  if (isTouch && canShare(browser, { files: [file] })) {
    const outcome = await openShareSheet(browser, { files: [file] })
    // Browsers allow sharing only shortly after a press. Reading a long log can take longer.
    if (outcome !== 'failed') return outcome
  }
  download(file)
  return 'download'
}
