import { listWallets, type Wallet } from './discovery.ts'
import { read } from './provider.ts'

export type DetectedWallets = {
  readonly wallets: readonly Wallet[]
  /** True during the first second, in which wallets can still be injected late. */
  readonly looking: boolean
}

const LATE_INJECTION_MS = 1_000
const POLL_MS = 100
const MAX_ANNOUNCEMENTS = 50

/**
 * Reports the wallets of this page as soon as there are any and after each change, and once more after one second, even
 * if there are none. The globals are polled for that second, because in-app browsers inject them late. It listens for
 * announcements until the caller stops it.
 */
export function watchWallets(onChange: (detected: DetectedWallets) => void, page: Window = window): () => void {
  const announced: unknown[] = []
  let wallets: readonly Wallet[] = []
  let looking = true

  const detect = () => {
    const now = listWallets({ announced, globals: page })
    if (now.length === wallets.length && now.every((wallet, index) => isSameWallet(wallet, wallets[index]))) return
    wallets = now
    onChange({ wallets, looking })
  }
  const onAnnouncement = (event: Event) => {
    if (announced.length < MAX_ANNOUNCEMENTS) announced.push(read(event, 'detail'))
    detect()
  }

  page.addEventListener('eip6963:announceProvider', onAnnouncement)
  page.dispatchEvent(new Event('eip6963:requestProvider'))
  detect()
  const polling = setInterval(detect, POLL_MS)
  const endOfSearch = setTimeout(() => {
    clearInterval(polling)
    detect()
    looking = false
    onChange({ wallets, looking })
  }, LATE_INJECTION_MS)

  return () => {
    page.removeEventListener('eip6963:announceProvider', onAnnouncement)
    clearInterval(polling)
    clearTimeout(endOfSearch)
  }
}

const isSameWallet = (left: Wallet, right: Wallet | undefined): boolean =>
  right !== undefined && left.id === right.id && left.provider === right.provider
