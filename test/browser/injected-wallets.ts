/** How a wallet appears in the page. */
export type WalletInjection = {
  readonly id: string
  readonly brand: 'onekey' | 'trust' | 'bitkeep' | 'generic'
  /** True if it announces itself by EIP-6963. */
  readonly announced: boolean
  /** True if it sets the globals that wallets used before EIP-6963. */
  readonly injected: boolean
  /** In-app browsers inject after the page has started. */
  readonly afterMs: number
}

export type WalletAnswer =
  | { readonly result: unknown }
  | { readonly error: { readonly code: number; readonly message: string; readonly data?: unknown } }

type Listener = (payload: unknown) => void

declare global {
  interface Window {
    /** Provided by the test, which answers for the wallet. */
    askWallet(id: string, method: string, params: readonly unknown[]): Promise<WalletAnswer>
    /** Called by the test when the wallet sends an event. */
    walletTells(id: string, event: string, payload: unknown): void
    [global: string]: unknown
  }
}

/** Runs in the page before any other script, so it cannot use anything from outside. */
export function injectWallets(injections: readonly WalletInjection[]): void {
  const identities = {
    onekey: { rdns: 'so.onekey.app.wallet', name: 'OneKey', flags: { isOneKey: true } },
    trust: { rdns: 'com.trustwallet.app', name: 'Trust Wallet', flags: { isTrust: true, isTrustWallet: true } },
    bitkeep: { rdns: 'com.bitget.web3', name: 'Bitget Wallet', flags: { isBitKeep: true } },
    generic: { rdns: 'org.example.plain', name: 'Plain Wallet', flags: {} },
  }
  const icon = `data:image/svg+xml,${encodeURIComponent('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 36 36"><rect width="36" height="36" rx="9" fill="#1f5fa8"/><circle cx="18" cy="18" r="8" fill="#fff"/></svg>')}`
  const listeners = new Map<string, Set<Listener>>()
  const listenersOf = (id: string, event: string) => {
    const key = `${id} ${event}`
    const registered = listeners.get(key) ?? new Set<Listener>()
    listeners.set(key, registered)
    return registered
  }
  window.walletTells = (id, event, payload) => {
    for (const listener of listenersOf(id, event)) listener(payload)
  }

  for (const injection of injections) {
    const { rdns, name, flags } = identities[injection.brand]
    const provider = {
      ...flags,
      async request({ method, params = [] }: { method: string; params?: readonly unknown[] }) {
        const answer = await window.askWallet(injection.id, method, params)
        if ('error' in answer) {
          const { code, message, data } = answer.error
          throw Object.assign(new Error(message), { code, data })
        }
        return answer.result
      },
      on: (event: string, listener: Listener) => void listenersOf(injection.id, event).add(listener),
      removeListener: (event: string, listener: Listener) => void listenersOf(injection.id, event).delete(listener),
    }
    const appear = () => {
      if (injection.injected) {
        if (injection.brand === 'onekey') window.$onekey = { ethereum: provider }
        if (injection.brand === 'trust') window.trustwallet = provider
        if (injection.brand === 'bitkeep') window.bitkeep = { ethereum: provider }
        // A wallet without its own global always takes the shared one. Other wallets take it only if it is free.
        if (injection.brand === 'generic' || window.ethereum === undefined) window.ethereum = provider
      }
      if (injection.announced) {
        const detail = Object.freeze({ info: { uuid: `uuid-${injection.id}`, name, rdns, icon }, provider })
        const announce = () => window.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail }))
        window.addEventListener('eip6963:requestProvider', announce)
        announce()
      }
    }
    if (injection.afterMs > 0) setTimeout(appear, injection.afterMs)
    else appear()
  }
}
