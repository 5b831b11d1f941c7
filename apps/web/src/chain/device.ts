export type DeviceKind = 'phone' | 'desktop'

/**
 * Wallet extensions exist only for desktop browsers. On a phone the wallet has its own browser. iPads identify as Macs.
 */
export function detectDevice(browser: { userAgent: string; maxTouchPoints: number }): DeviceKind {
  if (/Android|iPhone|iPad|iPod|Mobile/i.test(browser.userAgent)) return 'phone'
  return /Macintosh/i.test(browser.userAgent) && browser.maxTouchPoints > 1 ? 'phone' : 'desktop'
}

export type WalletLink = { readonly name: string; readonly href: string }

/**
 * Links that open this page in a wallet's own browser, with its whole address. docs/wallets.md names the source of each
 * one. OneKey has no such link.
 */
export function listPageLinks(page: string): readonly WalletLink[] {
  const url = encodeURIComponent(page)
  const okxLink = `okx://wallet/dapp/url?dappUrl=${url}`
  return [
    // MetaMask takes the rest of the path as the address. It opens an empty page if that part is encoded.
    { name: 'MetaMask', href: `https://link.metamask.io/dapp/${page.replace(/^https?:\/\//, '')}` },
    { name: 'OKX Wallet', href: `https://web3.okx.com/download?deeplink=${encodeURIComponent(okxLink)}` },
    { name: 'Trust Wallet', href: `https://link.trustwallet.com/open_url?coin_id=60&url=${url}` },
    { name: 'Bitget Wallet', href: `https://bkcode.vip?action=dapp&url=${url}` },
    { name: 'imToken', href: `imtokenv2://navigate/DappView?url=${url}` },
    { name: 'TokenPocket', href: `tpdapp://open?params=${encodeURIComponent(JSON.stringify({ url: page }))}` },
  ]
}

/** The start of each wallet's links for WalletConnect. The library continues it with `/wc` and a query. */
const CONNECTION_LINKS: readonly WalletLink[] = [
  { name: 'MetaMask', href: 'https://metamask.app.link' },
  { name: 'OKX Wallet', href: 'okex://main' },
  { name: 'Trust Wallet', href: 'https://link.trustwallet.com' },
  { name: 'Bitget Wallet', href: 'bitkeep://' },
  { name: 'imToken', href: 'imtokenv2://' },
  { name: 'TokenPocket', href: 'tpoutside://' },
  { name: 'OneKey', href: 'onekey-wallet://' },
]

export type ConnectionLink = WalletLink & {
  /** The start of the link. The library opens the same wallet with it for each request. */
  readonly base: string
}

/** Links that open a wallet app on this phone and connect it by WalletConnect. */
export const listConnectionLinks = (uri: string): readonly ConnectionLink[] =>
  CONNECTION_LINKS.map(({ name, href: base }) => ({
    name,
    base,
    href: `${base.replace(/\/$/, '')}/wc?uri=${encodeURIComponent(uri)}`,
  }))

export const installLinks: readonly WalletLink[] = [
  { name: 'OneKey', href: 'https://onekey.so/download' },
  { name: 'Trust Wallet', href: 'https://trustwallet.com/download' },
  { name: 'Bitget Wallet', href: 'https://web3.bitget.com/wallet-download' },
]
