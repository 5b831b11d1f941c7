import { describe, expect, it } from 'vitest'
import type { Wallet } from './discovery.ts'
import { walletConnectWallet } from './walletconnect/wallet.ts'
import { chooseWallets } from './watch-wallet-choice.ts'

const wallet = (id: string): Wallet => ({ ...walletConnectWallet, id })
const [trust, okx] = [wallet('com.trustwallet.app'), wallet('com.okex.wallet')]

const choose = (wallets: Wallet[], offersWalletConnect: boolean, last: string | null) => {
  const { first, others } = chooseWallets({ wallets, looking: false }, offersWalletConnect, last)
  return [first?.id ?? null, others.map(({ id }) => id)]
}

describe('the wallets of the sign-in pages', () => {
  it.each([
    ['none', [], false, null, [null, []]],
    ['none, and WalletConnect, which the sheet about missing wallets offers', [], true, null, [null, []]],
    ['none, and WalletConnect was used last', [], true, 'walletconnect', ['walletconnect', []]],
    ['none, and the pool no longer offers WalletConnect', [], false, 'walletconnect', [null, []]],
    ['one', [trust], false, null, [trust.id, []]],
    ['one, and WalletConnect', [trust], true, null, [trust.id, ['walletconnect']]],
    ['one, and WalletConnect was used last', [trust], true, 'walletconnect', ['walletconnect', [trust.id]]],
    ['two', [trust, okx], true, null, [null, [trust.id, okx.id, 'walletconnect']]],
    ['two, of which one was used last', [trust, okx], true, okx.id, [okx.id, [trust.id, 'walletconnect']]],
  ] as const)('%s', (_name, wallets, offered, last, expected) => {
    expect(choose([...wallets], offered, last)).toEqual(expected)
  })
})
