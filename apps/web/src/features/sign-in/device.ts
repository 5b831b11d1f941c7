export type DeviceKind = 'phone' | 'desktop'

/**
 * Wallet extensions exist only for desktop browsers. On a phone the wallet has its own browser. iPads identify as Macs.
 */
export function detectDevice(browser: { userAgent: string; maxTouchPoints: number }): DeviceKind {
  if (/Android|iPhone|iPad|iPod|Mobile/i.test(browser.userAgent)) return 'phone'
  return /Macintosh/i.test(browser.userAgent) && browser.maxTouchPoints > 1 ? 'phone' : 'desktop'
}

/** Only links that the wallets document for opening a page in their browser. OneKey documents none. */
export const listWalletLinks = (page: string) => [
  {
    name: 'Trust Wallet',
    href: `https://link.trustwallet.com/open_url?coin_id=60&url=${encodeURIComponent(page)}`,
  },
  { name: 'Bitget Wallet', href: `https://bkcode.vip?action=dapp&url=${encodeURIComponent(page)}` },
]

export const installLinks = [
  { name: 'OneKey', href: 'https://onekey.so/download' },
  { name: 'Trust Wallet', href: 'https://trustwallet.com/download' },
  { name: 'Bitget Wallet', href: 'https://web3.bitget.com/wallet-download' },
]
