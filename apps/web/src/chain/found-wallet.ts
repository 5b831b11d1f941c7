import type { Wallet } from './discovery.ts'
import { rememberedWallet } from './remembered.ts'
import { watchWallets } from './watch-wallets.ts'

let found: Wallet | null = null

/**
 * The wallet that the member signed in with, once it is there: in-app browsers inject theirs a moment late. Null where it is
 * not in this browser; another one is never taken in its place.
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
      // Called from within the watch itself, before it has said how to stop it.
      queueMicrotask(() => stop())
    }
    stop = watchWallets(({ wallets, looking }) => {
      const wallet = wallets.find((one) => one.id === id)
      if (wallet || !looking) end(wallet ?? null)
    })
  })
}
