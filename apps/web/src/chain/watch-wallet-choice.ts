import type { Wallet } from './discovery.ts'
import { loadLastWalletId } from './last-wallet-id.ts'
import { isWalletConnectOffered, walletConnectWallet } from './walletconnect/wallet.ts'
import { type DetectedWallets, watchWallets } from './watch-wallets.ts'

export type WalletChoice = {
  /** The wallet of the main button: the one used last, or the only one in this browser. */
  readonly first: Wallet | null
  readonly others: readonly Wallet[]
  readonly looking: boolean
}

/** Reports the wallets that the sign-in pages offer, and each change. Returns a function that stops it. */
export function watchWalletChoice(onChange: (choice: WalletChoice) => void): () => void {
  let detected: DetectedWallets = { wallets: [], looking: true }
  let offered = false
  let stopped = false
  const report = () => stopped || onChange(chooseWallets(detected, offered, loadLastWalletId()))
  const stop = watchWallets((now) => {
    detected = now
    report()
  })
  void isWalletConnectOffered().then((answer) => {
    offered = answer
    report()
  })
  return () => {
    stopped = true
    stop()
  }
}

/**
 * WalletConnect is last in the list. Without any other wallet it is not listed unless it was used before: the sheet
 * about missing wallets offers it, together with better ways.
 */
export function chooseWallets(
  { wallets, looking }: DetectedWallets,
  offersWalletConnect: boolean,
  last: string | null,
): WalletChoice {
  const all = offersWalletConnect ? [...wallets, walletConnectWallet] : wallets
  const only = wallets.length === 1 ? wallets[0] : undefined
  const first = all.find(({ id }) => id === last) ?? only ?? null
  const others = all.filter((wallet) => wallet !== first)
  return { first, others: wallets.length === 0 && first === null ? [] : others, looking }
}
