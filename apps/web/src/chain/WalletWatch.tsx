import { type ComponentType, lazy, Suspense, useEffect, useState } from 'react'
import type { Address } from 'viem'
import { useSession } from '../shared/session/index.ts'
import type { AccountChangedProps } from './AccountChanged.tsx'
import { currentAccount, watchWallet } from './connection.ts'
import type { Wallet } from './discovery.ts'
import { loadLastWalletId } from './last-wallet-id.ts'
import type { WalletDisconnectedProps } from './WalletDisconnected.tsx'
import { walletConnectWallet } from './walletconnect/wallet.ts'
import { watchWallets } from './watch-wallets.ts'

/** Loaded only when needed, because most members never see it. If loading fails, the session is not affected. */
const AccountChanged = lazy<ComponentType<AccountChangedProps>>(() =>
  import('./AccountChanged.tsx').then(
    (module) => ({ default: module.AccountChanged }),
    () => ({ default: () => null }),
  ),
)

const WalletDisconnected = lazy<ComponentType<WalletDisconnectedProps>>(() =>
  import('./WalletDisconnected.tsx').then(
    (module) => ({ default: module.WalletDisconnected }),
    () => ({ default: () => null }),
  ),
)

/**
 * Mounted beside the app while a member is signed in. Warns when the wallet shows another account than the session's.
 * It only reads; the session stays until the member decides.
 */
export function WalletWatch() {
  const signedInAs = useSession(({ account }) => account)
  const { wallet, account } = useWalletAccount()
  if (wallet === null || signedInAs === null) return null
  if (wallet === walletConnectWallet && account === null)
    return (
      <Suspense>
        <WalletDisconnected wallet={wallet} />
      </Suspense>
    )
  if (account === null || account === undefined) return null
  if (account.toLowerCase() === signedInAs.toLowerCase()) return null
  return (
    <Suspense>
      <AccountChanged key={account} wallet={wallet} account={account} signedInAs={signedInAs} />
    </Suspense>
  )
}

/** The account that the last used wallet shows to this page. Null if it shows none, undefined if that is not known. */
function useWalletAccount(): { wallet: Wallet | null; account: Address | null | undefined } {
  const [wallet, setWallet] = useState<Wallet | null>(null)
  const [account, setAccount] = useState<Address | null>()

  useEffect(() => {
    const id = loadLastWalletId()
    if (id === null) return
    if (id === walletConnectWallet.id) return setWallet(walletConnectWallet)
    return watchWallets(({ wallets }) => setWallet((found) => found ?? wallets.find((one) => one.id === id) ?? null))
  }, [])

  useEffect(() => {
    if (wallet === null) return
    let isStopped = false
    let events = 0
    const readAccount = async () => {
      const eventsBefore = events
      const current = await currentAccount(wallet.provider)
      // If the wallet switched while it was asked, its answer may be the account from before.
      if (!isStopped && events === eventsBefore && current.ok) setAccount(current.value)
    }
    // Some wallets change the account without an event while the page is in the background.
    const onReturn = () => document.visibilityState === 'visible' && void readAccount()
    void readAccount()
    document.addEventListener('visibilitychange', onReturn)
    const stop = watchWallet(wallet.provider, {
      account: (changed) => {
        events += 1
        setAccount(changed)
      },
      // Other wallets also report this when they only lost their node.
      disconnect: () => wallet === walletConnectWallet && setAccount(null),
    })
    return () => {
      isStopped = true
      document.removeEventListener('visibilitychange', onReturn)
      stop()
    }
  }, [wallet])

  return { wallet, account }
}
