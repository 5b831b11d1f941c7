import { SignClient } from '@walletconnect/sign-client'
import type { BrowserStack } from '../browser/stack.ts'
import { MemberWallet, type WalletAccount } from '../browser/wallet.ts'

type Client = Awaited<ReturnType<typeof SignClient.init>>

/**
 * A wallet on another device: the real WalletConnect library, and the key and the node of a member's wallet. `wallet`
 * records and answers the requests, and misbehaves as the test tells it.
 */
export async function startRemoteWallet(stack: BrowserStack, relayUrl: string, account: WalletAccount) {
  const wallet = new MemberWallet(stack.chain, { account })
  const client = await SignClient.init({
    projectId: PROJECT_ID,
    relayUrl,
    logger: 'silent',
    telemetryEnabled: false,
    storageOptions: { database: ':memory:' },
    customStoragePrefix: account.address,
    metadata: { name: 'Remote Wallet', description: '', url: 'https://wallet.example', icons: [] },
  })
  const chain = `eip155:${stack.chain.chainId}`
  const accountId = () => `${chain}:${wallet.address}`

  client.on('session_request', async ({ id, topic, params }) => {
    const { method, params: values } = params.request
    const answer = await wallet.answer(method, values as readonly unknown[])
    const response = 'error' in answer ? { error: answer.error } : { result: answer.result }
    await client.respond({ topic, response: { id, jsonrpc: '2.0', ...response } as never })
  })

  /** The person scans the code and answers the question of the wallet. */
  async function scan(uri: string, answer: 'accept' | 'refuse' = 'accept'): Promise<void> {
    const proposed = new Promise<{ id: number }>((resolve) => client.once('session_proposal', resolve))
    await client.pair({ uri })
    const { id } = await proposed
    if (answer === 'refuse') return client.reject({ id, reason: { code: 5000, message: 'User rejected.' } })
    const { acknowledged } = await client.approve({
      id,
      namespaces: {
        eip155: {
          chains: [chain],
          accounts: [accountId()],
          methods: ['personal_sign', 'eth_sendTransaction', 'eth_signTypedData_v4'],
          events: ['accountsChanged', 'chainChanged'],
        },
      },
    })
    await acknowledged()
  }

  return {
    wallet,
    scan,
    /** The person ends the connection in the wallet. */
    disconnect: () =>
      client.disconnect({ topic: onlySession(client).topic, reason: { code: 6000, message: 'User disconnected.' } }),
    switchAccount: async (next: WalletAccount) => {
      await wallet.switchAccount(next)
      const { topic } = onlySession(client)
      await client.emit({ topic, chainId: chain, event: { name: 'accountsChanged', data: [accountId()] } })
    },
    close: () => client.core.relayer.transportClose(),
  }
}

export const PROJECT_ID = '0123456789abcdef0123456789abcdef'

function onlySession(client: Client): { topic: string } {
  const [session] = client.session.getAll()
  if (!session) throw new Error('The wallet has no connection')
  return session
}
