import { answerRequest, type ProviderRequest } from './answer-request.ts'
import { createState, type WalletPorts } from './wallet-state.ts'

export type DevWallet = ReturnType<typeof createDevWallet>

/** A complete EIP-1193 wallet for development. Its keys are public. */
export function createDevWallet(ports: WalletPorts) {
  const state = createState(ports)
  return {
    provider: {
      request: (request: ProviderRequest) => answerRequest(state, ports.rpc, request),
      on: state.on,
      removeListener: state.removeListener,
    },
    accounts: ports.accounts,
    state: state.stored,
    chooseAccount: state.chooseAccount,
    setChain: state.setChain,
    homeChain: state.homeChain,
    disconnect: () => state.setConnected(false),
  }
}
