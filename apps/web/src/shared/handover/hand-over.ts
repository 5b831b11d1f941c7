import { canShare, openShareSheet, type Sharing } from './share-sheet.ts'

/**
 * The outcome of handing a file over. `shared`: the member gave it to an app. `put-away`: the member closed the share
 * sheet. `download`: the browser was asked to download it and does not report whether it did.
 */
export type HandedOver = 'shared' | 'put-away' | 'download'

type Surroundings = {
  readonly browser: Sharing
  /** True on a device with a touch screen as main pointer. */
  readonly isTouch: boolean
  readonly download: (file: File) => void
}

/**
 * Gives the member a file. On a phone it opens the system's share sheet, which has "Save to files" and "Save image":
 * wallets' web views ignore downloads, and phone browsers hide them. On a desktop it downloads. Wallets are not
 * recognized by name, because a list of names would never be complete.
 */
export async function handOver(file: File, { browser, isTouch, download }: Surroundings): Promise<HandedOver> {
  if (isTouch && canShare(browser, { files: [file] })) {
    const outcome = await openShareSheet(browser, { files: [file] })
    // Sharing fails if the press is too long ago, for example after a long log was read.
    if (outcome !== 'failed') return outcome
  }
  download(file)
  return 'download'
}
