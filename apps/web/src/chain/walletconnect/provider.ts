import { call } from '../../shared/api/index.ts'
import type { PoolChain } from '../connection.ts'
import type { Provider } from '../provider.ts'
import type { Client } from './client.ts'
import { createPairer } from './pair.ts'

type Listener = (payload: unknown) => void

/**
 * An EIP-1193 provider that loads the WalletConnect library with its first request. If no wallet is connected,
 * `eth_requestAccounts` opens the app's pairing sheet, as an extension would open its own window.
 */
export function createWalletConnectProvider(): Provider {
  const listeners: [event: string, listener: Listener][] = []
  let client: Client | null = null
  let starting: Promise<Client> | null = null

  /** A failed start is tried again with the next request. */
  function start(): Promise<Client> {
    starting ??= loadClient().then(
      (started) => {
        client = started
        for (const [event, listener] of listeners) started.on(event, listener)
        return started
      },
      (error: unknown) => {
        starting = null
        throw error
      },
    )
    return starting
  }
  const pair = createPairer(start)

  return {
    async request({ method, params }) {
      if (method === 'eth_requestAccounts') return client?.session ? client.accounts : pair()
      const started = await start()
      if (method === 'eth_accounts') return started.accounts
      if (!started.session) throw Object.assign(new Error('No wallet is connected'), { code: 4900 })
      if (method === 'eth_chainId') return `0x${started.chainId.toString(16)}`
      if (method !== 'wallet_requestPermissions') return started.request(params ? { method, params } : { method })
      // The accounts belong to the connection, so another account needs another connection.
      await started.disconnect()
      return pair()
    },
    on(event, listener) {
      listeners.push([event, listener])
      client?.on(event, listener)
    },
    removeListener(event, listener) {
      const index = listeners.findIndex(([name, each]) => name === event && each === listener)
      if (index !== -1) listeners.splice(index, 1)
      client?.removeListener(event, listener)
    },
  }
}

async function loadClient(): Promise<Client> {
  const [{ startClient }, chain] = await Promise.all([import('./client.ts'), readChain()])
  if (!chain?.walletConnect) throw Object.assign(new Error('The pool does not offer WalletConnect'), { code: 4900 })
  return startClient(chain, chain.walletConnect)
}

export async function readChain(): Promise<PoolChain | null> {
  const chain = await call('pool/chain', {}, { quiet: true })
  return chain.ok ? chain.value : null
}
