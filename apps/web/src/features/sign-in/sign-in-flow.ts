import { createStore } from 'zustand/vanilla'
import type { Wallet } from '../../chain/index.ts'
import { type Ports, performRequest } from './perform-request.ts'
import {
  initialState,
  type MemberEvent,
  nextState,
  type RequestAnswer,
  type SignInEvent,
  type SignInState,
} from './sign-in-machine.ts'

export type SignInFlow = ReturnType<typeof createSignInFlow>

/**
 * Runs the machine: performs the request of each state to the wallet or the server (perform-request.ts), and passes the
 * answer to the machine. It lives outside of React, because a component that renders twice must not open a wallet
 * twice.
 */
export function createSignInFlow(ports: Ports) {
  const store = createStore<SignInState>(() => initialState)
  let stopWatching = () => {}

  function receive(event: SignInEvent): void {
    const before = store.getState()
    const after = nextState(before, event)
    if (after === before) return
    if (before.at === 'connecting' && 'chain' in after) void watch(after.wallet)
    if (after.at === 'choosing' || after.at === 'failed' || after.at === 'succeeded') stopWatching()
    if (after.at === 'succeeded') ports.signedIn(after.session, after.purpose)
    store.setState(after, true)
    if (after.at !== before.at || after.attempt !== before.attempt) void act(after)
  }

  async function act(state: SignInState): Promise<void> {
    const answer = await performRequest(ports, state)
    if (answer) receive({ ...answer, attempt: state.attempt })
  }

  /** Tells the machine when the wallet changes its account or its network, or disconnects. */
  async function watch(wallet: Wallet): Promise<void> {
    const { saveLastWalletId, watchWallet } = await ports.walletCode()
    saveLastWalletId(wallet.id)
    const tell = (answer: RequestAnswer) => {
      const state = store.getState()
      if ('wallet' in state && state.wallet === wallet) receive({ ...answer, attempt: state.attempt })
    }
    stopWatching()
    stopWatching = watchWallet(wallet.provider, {
      account: (account) => tell({ type: 'account-changed', account }),
      chain: (chainId) => tell({ type: 'chain-changed', chainId }),
      disconnect: () => tell({ type: 'wallet-disconnected' }),
    })
  }

  return {
    store,
    send: (event: MemberEvent): void => receive(event),
    /**
     * Called when the page closes. Later answers of the wallet and the server are ignored. Only the answer to a
     * registration that was sent still counts, because then the account may exist.
     */
    end: (): void => {
      receive({ type: 'another-wallet' })
      stopWatching()
    },
  }
}
