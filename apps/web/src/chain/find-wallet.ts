import type { Wallet } from './discovery.ts'
import { loadLastWalletId } from './last-wallet-id.ts'
import { walletConnectWallet } from './walletconnect/wallet.ts'
import { watchWallets } from './watch-wallets.ts'

let cached: Wallet | null = null

/**
 * The wallet that the member signed in with. Waits for it, because in-app browsers inject their wallet a moment late.
 * Null if it is not in this browser; no other wallet is used instead.
 */
export function findWallet(): Promise<Wallet | null> {
  const id = loadLastWalletId()
  if (id === null) return Promise.resolve(null)
  if (id === walletConnectWallet.id) return Promise.resolve(walletConnectWallet)
  if (cached?.id === id) return Promise.resolve(cached)
  return new Promise((resolve) => {
    let ended = false
    let stop = () => {}
    const end = (wallet: Wallet | null) => {
      if (ended) return
      ended = true
      cached = wallet
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
