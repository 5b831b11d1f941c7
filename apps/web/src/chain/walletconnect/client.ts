import { EthereumProvider } from '@walletconnect/ethereum-provider'
import type { PoolChain } from '../connection.ts'

/** The part of the library that the app uses. */
export type Client = {
  readonly accounts: readonly string[]
  readonly chainId: number
  readonly session?: unknown
  connect(): Promise<void>
  disconnect(): Promise<void>
  request(call: { method: string; params?: object }): Promise<unknown>
  on(event: string, listener: (payload: unknown) => void): unknown
  removeListener(event: string, listener: (payload: unknown) => void): unknown
}

/**
 * Starts the library. It restores an earlier session from the browser's storage. The chain is optional in the
 * connection, because a wallet that does not know the chain would otherwise refuse without a reason. The sign-in asks
 * for the right network afterwards.
 */
export async function startClient(
  chain: PoolChain,
  { projectId, relayUrl }: NonNullable<PoolChain['walletConnect']>,
): Promise<Client> {
  const provider = await EthereumProvider.init({
    projectId,
    relayUrl,
    optionalChains: [chain.chainId],
    // Without these addresses the library reads the chain through WalletConnect's own nodes.
    rpcMap: { [chain.chainId]: chain.rpcUrl },
    optionalMethods: [
      'personal_sign',
      'eth_sendTransaction',
      'eth_signTypedData_v4',
      'wallet_switchEthereumChain',
      'wallet_addEthereumChain',
    ],
    optionalEvents: ['accountsChanged', 'chainChanged'],
    showQrModal: false,
    disableProviderPing: true,
    telemetryEnabled: false,
    metadata: {
      name: 'Lode',
      description: '',
      url: window.location.origin,
      icons: [`${window.location.origin}/icons/192.png`],
    },
  })
  // The library would ask a page of WalletConnect, in a hidden frame, to vouch for this site. The security policy
  // allows no frames, and without this line every connection would wait five seconds for that page.
  provider.signer.client.core.verify.register = async () => ''
  return provider
}
