import type { Wallet } from '../discovery.ts'
import { createWalletConnectProvider, readChain } from './provider.ts'

/** A wallet on another device, or another app on this phone. The library is loaded with the first request. */
export const walletConnectWallet: Wallet = {
  id: 'walletconnect',
  brand: 'other',
  name: 'WalletConnect',
  icon: null,
  provider: createWalletConnectProvider(),
}

let offer: Promise<boolean> | null = null

/** Whether the pool offers WalletConnect. False if the server does not answer; the next call asks again. */
export function isWalletConnectOffered(): Promise<boolean> {
  offer ??= readChain().then((chain) => {
    if (chain === null) offer = null
    return Boolean(chain?.walletConnect)
  })
  return offer
}
