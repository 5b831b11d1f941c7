import type { Address } from 'viem'
import { currentAccount, currentChainId, watchWallet } from '../connection.ts'
import type { Wallet } from '../discovery.ts'
import { foundWallet } from '../found-wallet.ts'

/** Whether the member's wallet is there to pay: the one it signed in with, showing that account, on the pool's chain. */
export type Payer =
  | { readonly kind: 'looking' }
  /** The wallet is not in this browser. */
  | { readonly kind: 'absent' }
  /** It does not answer, or shows no account to this page. */
  | { readonly kind: 'locked'; readonly wallet: Wallet }
  | { readonly kind: 'other-account'; readonly wallet: Wallet; readonly account: Address }
  | { readonly kind: 'other-network'; readonly wallet: Wallet }
  | { readonly kind: 'ready'; readonly wallet: Wallet }

function payerFrom(
  wallet: Wallet,
  shown: { account: Address | null; chainId: number | null },
  needed: { account: string; chainId: number },
): Payer {
  if (shown.account === null) return { kind: 'locked', wallet }
  if (shown.account.toLowerCase() !== needed.account.toLowerCase())
    return { kind: 'other-account', wallet, account: shown.account }
  return { kind: shown.chainId === needed.chainId ? 'ready' : 'other-network', wallet }
}

/** Tells of the wallet now and whenever it changes, without ever opening it. Not every wallet tells when it was answered. */
export function watchPayer(needed: { account: string; chainId: number }, tell: (payer: Payer) => void) {
  let stopped = false
  let stop = () => {}
  let lookAgain = () => {}
  const look = async (wallet: Wallet) => {
    const [account, chainId] = await Promise.all([currentAccount(wallet.provider), currentChainId(wallet.provider)])
    if (stopped) return
    const shown = { account: account.ok ? account.value : null, chainId: chainId.ok ? chainId.value : null }
    tell(payerFrom(wallet, shown, needed))
  }
  void foundWallet().then((wallet) => {
    if (stopped) return
    if (!wallet) return tell({ kind: 'absent' })
    const again = () => void look(wallet)
    lookAgain = again
    const unwatch = watchWallet(wallet.provider, { account: again, chain: again, disconnect: again })
    // Some wallets change without a word while the page is in the background.
    document.addEventListener('visibilitychange', again)
    stop = () => {
      unwatch()
      document.removeEventListener('visibilitychange', again)
    }
    again()
  })
  return {
    lookAgain: () => lookAgain(),
    stop: () => {
      stopped = true
      stop()
    },
  }
}
