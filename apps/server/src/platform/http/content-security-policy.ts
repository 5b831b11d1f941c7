import type { ApiConfig } from '../config/config.ts'

/**
 * What the web app may load: its own files, and no inline code. It connects to the api and directly to the chain, so
 * that it can follow a payment after its session has ended.
 */
export function contentSecurityPolicy({
  publicOrigin,
  chain,
}: Pick<ApiConfig, 'publicOrigin' | 'chain'>): Record<string, string[]> {
  return {
    'default-src': ["'none'"],
    'script-src': ["'self'"],
    'style-src': ["'self'"],
    'img-src': ["'self'", 'data:'],
    'font-src': ["'self'"],
    'connect-src': ["'self'", new URL(chain.publicRpcUrl).origin],
    'manifest-src': ["'self'"],
    // No service worker either: it could serve an old build for ever.
    'worker-src': ["'none'"],
    'base-uri': ["'none'"],
    'form-action': ["'none'"],
    'frame-ancestors': ["'none'"],
    ...(publicOrigin.protocol === 'https:' ? { 'upgrade-insecure-requests': [] } : {}),
  }
}
