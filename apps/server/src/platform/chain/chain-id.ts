import { createClient, http } from 'viem'
import { getChainId } from 'viem/actions'
import type { ChainConfig } from '../config/config.ts'

export type ChainIdCheck =
  | { readonly kind: 'match' }
  | { readonly kind: 'unreachable' }
  | { readonly kind: 'mismatch'; readonly origin: string; readonly found: number }

/** `match` if at least one node answers and every node that answers is on the configured chain. */
export async function checkChainId(chain: Pick<ChainConfig, 'id' | 'nodes'>): Promise<ChainIdCheck> {
  const answers = await Promise.all(
    chain.nodes.map(async ({ url, origin }) => {
      const client = createClient({ transport: http(url, { timeout: 5_000, retryCount: 2 }) })
      const found = await getChainId(client).catch(() => null)
      return { origin, found }
    }),
  )
  for (const { origin, found } of answers)
    if (found !== null && found !== chain.id) return { kind: 'mismatch', origin, found }
  return answers.some(({ found }) => found !== null) ? { kind: 'match' } : { kind: 'unreachable' }
}
