import { queryClient, read } from '../../shared/api/index.ts'
import { type Provider, read as readProperty } from '../provider.ts'

/**
 * The pool's public node as a second reader of the chain, for wallets whose own node refuses searches or does not
 * answer. It only reads: transactions go through the wallet alone. Null if the pool does not answer.
 */
export async function findPoolNode(): Promise<Provider | null> {
  try {
    const { rpcUrl } = await queryClient.fetchQuery({ ...read('pool/chain', {}), staleTime: Number.POSITIVE_INFINITY })
    return createNodeProvider(rpcUrl)
  } catch {
    return null
  }
}

/** A chain node that is asked directly, without a wallet. */
const createNodeProvider = (rpcUrl: string): Provider => ({
  async request({ method, params = [] }) {
    const response = await fetch(rpcUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
      credentials: 'omit',
      referrerPolicy: 'no-referrer',
    })
    const answer: unknown = await response.json()
    const error = readProperty(answer, 'error')
    if (error !== undefined && error !== null) throw error
    return readProperty(answer, 'result')
  },
})
