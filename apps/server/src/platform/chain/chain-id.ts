import { createClient, http } from 'viem'
import { getChainId } from 'viem/actions'
import type { ChainConfig } from '../config/config.ts'

export type ChainIdCheck =
  | { readonly kind: 'match' }
  | { readonly kind: 'unreachable' }
  | { readonly kind: 'mismatch'; readonly url: string; readonly found: number }

/** Every node that answers must be on the configured chain, and at least one must answer. */
export async function checkChainId(chain: ChainConfig): Promise<ChainIdCheck> {
  const answers = await Promise.all(
    chain.rpcUrls.map(async (url) => {
      const client = createClient({ transport: http(url, { timeout: 5_000, retryCount: 2 }) })
      const found = await getChainId(client).catch(() => null)
      return { url, found }
    }),
  )
  for (const { url, found } of answers)
    if (found !== null && found !== chain.id) return { kind: 'mismatch', url: new URL(url).origin, found }
  return answers.some(({ found }) => found !== null) ? { kind: 'match' } : { kind: 'unreachable' }
}
