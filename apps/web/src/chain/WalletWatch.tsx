import { type ComponentType, lazy, Suspense, useEffect, useState } from 'react'
import type { Address } from 'viem'
import { useSession } from '../shared/session/index.ts'
import type { AccountChangedProps } from './AccountChanged.tsx'
import { currentAccount, watchWallet } from './connection.ts'
import type { Wallet } from './discovery.ts'
import { rememberedWallet } from './remembered.ts'
import { watchWallets } from './watch-wallets.ts'

/** Most members never see it, so it does not weigh on finding a wallet. Without it the session is unhurt. */
const AccountChanged = lazy<ComponentType<AccountChangedProps>>(() =>
  import('./AccountChanged.tsx').then(
    (module) => ({ default: module.AccountChanged }),
    () => ({ default: () => null }),
  ),
)

/**
 * Stands beside the app while somebody is signed in and says when the wallet has come to show another account than the
 * session's. It only ever looks; the session stays until the member decides.
 */
export function WalletWatch() {
  const signedInAs = useSession(({ account }) => account)
  const { wallet, account } = useWalletAccount()
  if (wallet === null || account === null || signedInAs === null) return null
  if (account.toLowerCase() === signedInAs.toLowerCase()) return null
  return (
    <Suspense>
      <AccountChanged key={account} wallet={wallet} account={account} signedInAs={signedInAs} />
    </Suspense>
  )
}

/** The account that the wallet used last shows to this page now. Null while there is none, or no such wallet. */
function useWalletAccount(): { wallet: Wallet | null; account: Address | null } {
  const [wallet, setWallet] = useState<Wallet | null>(null)
  const [account, setAccount] = useState<Address | null>(null)

  useEffect(() => {
    const id = rememberedWallet()
    if (id === null) return
    return watchWallets(({ wallets }) => setWallet((found) => found ?? wallets.find((one) => one.id === id) ?? null))
  }, [])

  useEffect(() => {
    if (wallet === null) return
    let left = false
    const look = async () => {
      const current = await currentAccount(wallet.provider)
      if (!left && current.ok) setAccount(current.value)
    }
    // Some wallets change their account without a word while the page is in the background.
    const onReturn = () => document.visibilityState === 'visible' && void look()
    void look()
    document.addEventListener('visibilitychange', onReturn)
    const stop = watchWallet(wallet.provider, { account: setAccount })
    return () => {
      left = true
      document.removeEventListener('visibilitychange', onReturn)
      stop()
    }
  }, [wallet])

  return { wallet, account }
}
