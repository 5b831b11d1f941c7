import type { ApiConfig } from '../config/config.ts'

/**
 * What the web app may load: its own files, and nothing written into the page. It talks to the api and, to see a payment
 * through when its session has ended, straight to the chain.
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
    // No service worker either: one could hand out an old build for ever.
    'worker-src': ["'none'"],
    'base-uri': ["'none'"],
    'form-action': ["'none'"],
    'frame-ancestors': ["'none'"],
    ...(publicOrigin.protocol === 'https:' ? { 'upgrade-insecure-requests': [] } : {}),
  }
}
