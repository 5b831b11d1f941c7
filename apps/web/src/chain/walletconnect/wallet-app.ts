/** The library reads this entry before each request, and opens the wallet app whose link it contains. */
const KEY = 'WALLETCONNECT_DEEPLINK_CHOICE'

/** Stores the wallet app that the member opened, so that each request opens it again. */
export function rememberWalletApp(app: { name: string; href: string }): void {
  try {
    window.localStorage.setItem(KEY, JSON.stringify(app))
  } catch {
    // Without storage the member opens the wallet app by hand.
  }
}
