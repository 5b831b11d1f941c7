import type { ApiConfig } from '../config/config.ts'

/**
 * The web app may load its own files and no inline code. It may connect to the api, and to the public
 * chain node. That node is the app's second reader of the chain, and a wallet that runs inside the page may need it.
 * With WalletConnect it may also connect to the relay, and to nothing else of WalletConnect.
 */
export function contentSecurityPolicy({
  publicOrigin,
  chain,
  walletConnect,
}: Pick<ApiConfig, 'publicOrigin' | 'chain' | 'walletConnect'>): Record<string, string[]> {
  return {
    'default-src': ["'none'"],
    'script-src': ["'self'"],
    'style-src': ["'self'"],
    'img-src': ["'self'", 'data:'],
    'font-src': ["'self'"],
    'connect-src': [
      "'self'",
      new URL(chain.publicRpcUrl).origin,
      ...(walletConnect === null ? [] : [new URL(walletConnect.relayUrl).origin]),
    ],
    'manifest-src': ["'self'"],
    // No workers. A service worker could serve an old build forever.
    'worker-src': ["'none'"],
    'base-uri': ["'none'"],
    'form-action': ["'none'"],
    'frame-ancestors': ["'none'"],
    // No text becomes HTML or code. The app has no policy that would allow it.
    'require-trusted-types-for': ["'script'"],
    ...(publicOrigin.protocol === 'https:' ? { 'upgrade-insecure-requests': [] } : {}),
  }
}
