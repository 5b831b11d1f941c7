import { canShare, openShareSheet, type Sharing } from './share-sheet.ts'

/**
 * What is known after a file was handed over. `shared`: the member gave it to an app of their choice; `put-away`: the member closed
 * the share sheet; `download`: the browser was asked to download it, and does not tell whether it did.
 */
export type HandedOver = 'shared' | 'put-away' | 'download'

type Surroundings = {
  readonly browser: Sharing
  /** The member points with a finger. */
  readonly isTouch: boolean
  readonly download: (file: File) => void
}

/**
 * Gives the member a file. On a phone by the system's share sheet, which has "Save to files" and "Save image": the web views of
 * wallets, which are on phones, ignore downloads, and a phone's browser hides them. On a desktop by a download, as everybody
 * expects there. Wallets are not told apart by their name: a list of names would never be complete.
 */
export async function handOver(file: File, { browser, isTouch, download }: Surroundings): Promise<HandedOver> {
  if (isTouch && canShare(browser, { files: [file] })) {
    const outcome = await openShareSheet(browser, { files: [file] })
    // It fails where the press is too long ago, as after reading a long log.
    if (outcome !== 'failed') return outcome
  }
  download(file)
  return 'download'
}
