import type { Wallet } from './discovery.ts'
import { rememberedWallet } from './remembered.ts'
import { watchWallets } from './watch-wallets.ts'

let found: Wallet | null = null

/**
 * The wallet that the member signed in with. Waits for it, because in-app browsers inject their wallet a moment late.
 * Null if it is not in this browser; no other wallet is used instead.
 */
export function foundWallet(): Promise<Wallet | null> {
  const id = rememberedWallet()
  if (id === null) return Promise.resolve(null)
  if (found?.id === id) return Promise.resolve(found)
  return new Promise((resolve) => {
    let ended = false
    let stop = () => {}
    const end = (wallet: Wallet | null) => {
      if (ended) return
      ended = true
      found = wallet
      resolve(wallet)
      // This can run inside watchWallets(), before it has returned the function that stops it.
      queueMicrotask(() => stop())
    }
    stop = watchWallets(({ wallets, looking }) => {
      const wallet = wallets.find((one) => one.id === id)
      if (wallet || !looking) end(wallet ?? null)
    })
  })
}
