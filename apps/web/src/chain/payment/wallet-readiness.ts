import type { Address } from 'viem'
import { currentAccount, currentChainId, watchWallet } from '../connection.ts'
import type { Wallet } from '../discovery.ts'
import { findWallet } from '../find-wallet.ts'

/**
 * Whether the member's wallet can pay. It must be the wallet of the sign-in, show the session's account and be on the
 * pool's chain.
 */
export type WalletReadiness =
  | { readonly kind: 'looking' }
  /** The wallet is not in this browser. */
  | { readonly kind: 'absent' }
  /** The wallet shows no account to this page. */
  | { readonly kind: 'locked'; readonly wallet: Wallet }
  /** The wallet did not answer which account it shows, or which network it is on. */
  | { readonly kind: 'silent'; readonly wallet: Wallet; readonly missing: 'account' | 'network' }
  | { readonly kind: 'other-account'; readonly wallet: Wallet; readonly account: Address }
  | { readonly kind: 'other-network'; readonly wallet: Wallet }
  | { readonly kind: 'ready'; readonly wallet: Wallet }

type WalletAnswers = {
  readonly account: Awaited<ReturnType<typeof currentAccount>>
  readonly chainId: Awaited<ReturnType<typeof currentChainId>>
}

export function assessWallet(
  wallet: Wallet,
  { account, chainId }: WalletAnswers,
  needed: { account: string; chainId: number },
): WalletReadiness {
  // Any other error is an answer: the wallet is locked, or the member has disconnected it from this page.
  if (!account.ok && account.error === 'silent') return { kind: 'silent', wallet, missing: 'account' }
  if (!account.ok || account.value === null) return { kind: 'locked', wallet }
  if (account.value.toLowerCase() !== needed.account.toLowerCase())
    return { kind: 'other-account', wallet, account: account.value }
  if (!chainId.ok || chainId.value === null) return { kind: 'silent', wallet, missing: 'network' }
  return { kind: chainId.value === needed.chainId ? 'ready' : 'other-network', wallet }
}

/**
 * Reports the wallet's state now and after each change. Never opens the wallet. Call `lookAgain` after a request to the
 * wallet, because not every wallet sends an event when the member has unlocked it.
 */
export function watchWalletReadiness(
  needed: { account: string; chainId: number },
  onChange: (readiness: WalletReadiness) => void,
) {
  let stopped = false
  let stop = () => {}
  let lookAgain = async () => {}
  const check = async (wallet: Wallet) => {
    const [account, chainId] = await Promise.all([currentAccount(wallet.provider), currentChainId(wallet.provider)])
    if (stopped) return
    onChange(assessWallet(wallet, { account, chainId }, needed))
  }
  void findWallet().then((wallet) => {
    if (stopped) return
    if (!wallet) return onChange({ kind: 'absent' })
    const checkNow = () => void check(wallet)
    lookAgain = () => check(wallet)
    const unwatch = watchWallet(wallet.provider, { account: checkNow, chain: checkNow, disconnect: checkNow })
    // Some wallets change without an event while the page is in the background.
    document.addEventListener('visibilitychange', checkNow)
    stop = () => {
      unwatch()
      document.removeEventListener('visibilitychange', checkNow)
    }
    checkNow()
  })
  return {
    lookAgain: () => lookAgain(),
    stop: () => {
      stopped = true
      stop()
    },
  }
}
