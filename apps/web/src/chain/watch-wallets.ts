import { type Wallet, walletsFrom } from './discovery.ts'
import { read } from './provider.ts'

export type WalletsSeen = {
  readonly wallets: readonly Wallet[]
  /** True during the first second, in which wallets can still be injected late. */
  readonly looking: boolean
}

const LATE_INJECTION_MS = 1_000
const GLANCE_MS = 100
const MOST_KEPT = 50

/**
 * Reports the wallets of this page at once, and again whenever there are more. The globals are polled for one second,
 * because in-app browsers inject them late. Announcements are heard until the caller stops the watch.
 */
export function watchWallets(tell: (seen: WalletsSeen) => void, page: Window = window): () => void {
  const announced: unknown[] = []
  let wallets: readonly Wallet[] = []
  let looking = true

  const look = () => {
    const now = walletsFrom({ announced, globals: page })
    if (now.length === wallets.length && now.every((wallet, place) => same(wallet, wallets[place]))) return
    wallets = now
    tell({ wallets, looking })
  }
  const hear = (event: Event) => {
    if (announced.length < MOST_KEPT) announced.push(read(event, 'detail'))
    look()
  }

  page.addEventListener('eip6963:announceProvider', hear)
  page.dispatchEvent(new Event('eip6963:requestProvider'))
  look()
  const glances = setInterval(look, GLANCE_MS)
  const patience = setTimeout(() => {
    clearInterval(glances)
    look()
    looking = false
    tell({ wallets, looking })
  }, LATE_INJECTION_MS)

  return () => {
    page.removeEventListener('eip6963:announceProvider', hear)
    clearInterval(glances)
    clearTimeout(patience)
  }
}

const same = (left: Wallet, right: Wallet | undefined): boolean =>
  right !== undefined && left.id === right.id && left.provider === right.provider
