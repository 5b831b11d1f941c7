import type { Address } from 'viem'
import { currentAccount, currentChainId, watchWallet } from '../connection.ts'
import type { Wallet } from '../discovery.ts'
import { foundWallet } from '../found-wallet.ts'

/**
 * Whether the member's wallet can pay: the wallet of the sign-in must show the session's account on the pool's chain.
 */
export type Payer =
  | { readonly kind: 'looking' }
  /** The wallet is not in this browser. */
  | { readonly kind: 'absent' }
  /** The wallet shows no account to this page. */
  | { readonly kind: 'locked'; readonly wallet: Wallet }
  /** The wallet did not answer which account it shows, or which network it is on. */
  | { readonly kind: 'silent'; readonly wallet: Wallet; readonly about: 'account' | 'network' }
  | { readonly kind: 'other-account'; readonly wallet: Wallet; readonly account: Address }
  | { readonly kind: 'other-network'; readonly wallet: Wallet }
  | { readonly kind: 'ready'; readonly wallet: Wallet }

type Shown = {
  readonly account: Awaited<ReturnType<typeof currentAccount>>
  readonly chainId: Awaited<ReturnType<typeof currentChainId>>
}

export function payerFrom(
  wallet: Wallet,
  { account, chainId }: Shown,
  needed: { account: string; chainId: number },
): Payer {
  // Any other error is an answer: the wallet is locked, or has been disconnected from this page.
  if (!account.ok && account.error === 'silent') return { kind: 'silent', wallet, about: 'account' }
  if (!account.ok || account.value === null) return { kind: 'locked', wallet }
  if (account.value.toLowerCase() !== needed.account.toLowerCase())
    return { kind: 'other-account', wallet, account: account.value }
  if (!chainId.ok || chainId.value === null) return { kind: 'silent', wallet, about: 'network' }
  return { kind: chainId.value === needed.chainId ? 'ready' : 'other-network', wallet }
}

/**
 * Reports the wallet's state now and after each change. Never opens the wallet. Not every wallet sends an event when
 * the member has unlocked it.
 */
export function watchPayer(needed: { account: string; chainId: number }, tell: (payer: Payer) => void) {
  let stopped = false
  let stop = () => {}
  let lookAgain = async () => {}
  const look = async (wallet: Wallet) => {
    const [account, chainId] = await Promise.all([currentAccount(wallet.provider), currentChainId(wallet.provider)])
    if (stopped) return
    tell(payerFrom(wallet, { account, chainId }, needed))
  }
  void foundWallet().then((wallet) => {
    if (stopped) return
    if (!wallet) return tell({ kind: 'absent' })
    const again = () => void look(wallet)
    lookAgain = () => look(wallet)
    const unwatch = watchWallet(wallet.provider, { account: again, chain: again, disconnect: again })
    // Some wallets change without an event while the page is in the background.
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
