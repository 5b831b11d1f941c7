import type { Result } from '@lode/kernel'
import type { Language } from '@lode/wire'
import type { Address } from 'viem'
import { createStore } from 'zustand/vanilla'
import type * as Chain from '../../chain/index.ts'
import type { call, Failure } from '../../shared/api/index.ts'
import {
  type Answer,
  beginning,
  type Entered,
  type Event,
  type MemberEvent,
  next,
  type Purpose,
  type State,
  type Step,
} from './machine.ts'

type WalletAction =
  | 'connect'
  | 'currentAccount'
  | 'currentChainId'
  | 'rememberWallet'
  | 'signMessage'
  | 'switchChain'
  | 'watchWallet'

/** What the flow needs from outside. The wallet code arrives on demand, so it is asked for and not imported. */
export type Ports = {
  readonly walletCode: () => Promise<Pick<typeof Chain, WalletAction>>
  readonly call: typeof call
  readonly language: () => Language
  /** The id of this browser, by which the server knows it again. */
  readonly device: () => string
  readonly now: () => number
  /** Covers the app, on whatever page, until what it returns is called: nothing else may begin during a registration. */
  readonly startLoading: () => () => void
  /** Told once, before anybody sees the state `succeeded`. */
  readonly signedIn: (session: Entered, purpose: Purpose) => void
}

/** Failures are shown among the steps, not as toasts. */
const QUIET = { quiet: true }

export type Flow = ReturnType<typeof createFlow>

/**
 * Runs the machine: does what each state asks of the wallet and of the server, and brings back the answer. It lives outside
 * of React, because a component that is drawn twice must not open a wallet twice.
 */
export function createFlow(ports: Ports) {
  const store = createStore<State>(() => beginning)
  let stopWatching = () => {}

  function receive(event: Event): void {
    const before = store.getState()
    const after = next(before, event)
    if (after === before) return
    if (before.at === 'connecting' && 'chain' in after) void follow(after.wallet)
    if (after.at === 'choosing' || after.at === 'failed' || after.at === 'succeeded') stopWatching()
    if (after.at === 'succeeded') ports.signedIn(after.session, after.purpose)
    store.setState(after, true)
    if (after.at !== before.at || after.attempt !== before.attempt) void act(after)
  }

  async function act(state: State): Promise<void> {
    const answer = await answerTo(state)
    if (answer) receive({ ...answer, attempt: state.attempt })
  }

  async function answerTo(state: State): Promise<Answer | undefined> {
    switch (state.at) {
      case 'connecting':
        return connecting(state)
      case 'wrong-network':
        return state.switching ? switching(state) : undefined
      case 'checking':
        return checking(state)
      case 'signing':
        return signing(state)
      case 'submitting':
        return submitting(state)
      default:
        return undefined
    }
  }

  async function connecting({ wallet }: In<'connecting'>): Promise<Answer> {
    const { connect, currentChainId } = await ports.walletCode()
    const asking = ports.call('pool/chain', {}, QUIET)
    const connected = await connect(wallet.provider)
    if (!connected.ok) return walletSaid('connect', null, connected.error)
    const account = connected.value
    const chain = await asking
    if (!chain.ok) return serverSaid('request', account, chain.error)
    const chainId = await currentChainId(wallet.provider)
    if (!chainId.ok) return walletSaid('connect', account, chainId.error)
    return { type: 'connected', account, chain: chain.value, chainId: chainId.value }
  }

  async function switching({ wallet, chain }: In<'wrong-network'>): Promise<Answer> {
    const { switchChain } = await ports.walletCode()
    const switched = await switchChain(wallet.provider, chain)
    if (switched.ok) return { type: 'network-switched' }
    if (switched.error === 'refused') return { type: 'wallet-refused' }
    const what = switched.error === 'unchanged' ? 'network-unchanged' : switched.error
    return { type: 'network-stayed', problem: { from: 'wallet', what } }
  }

  async function checking({ account, invite }: In<'checking'>): Promise<Answer> {
    const checked = await ports.call('sign/check', invite === null ? { account } : { account, invite }, QUIET)
    if (!checked.ok) return serverSaid('request', account, checked.error)
    return { type: 'checked', answer: checked.value, now: ports.now() }
  }

  async function signing({ wallet, account, message }: In<'signing'>): Promise<Answer> {
    const { signMessage, currentAccount } = await ports.walletCode()
    const signed = await signMessage(wallet.provider, account, message)
    if (!signed.ok) return walletSaid('sign', account, signed.error)
    // Some wallets sign with whichever account is in front, and do not tell that it was changed.
    const current = await currentAccount(wallet.provider)
    if (current.ok && current.value !== null && current.value !== account) {
      return { type: 'account-changed', account: current.value }
    }
    return { type: 'signed', signature: signed.value }
  }

  async function submitting(state: In<'submitting'>): Promise<Answer> {
    const done = state.purpose === 'register' ? ports.startLoading() : undefined
    const submitted = await submit(state)
    done?.()
    if (!submitted.ok) return serverSaid('submit', state.account, submitted.error)
    return { type: 'submitted', session: submitted.value }
  }

  function submit({ message, signature, invite, purpose }: In<'submitting'>): Promise<Result<Entered, Failure>> {
    const signed = { message, signature, lang: ports.language(), device: ports.device() }
    if (invite !== null) return ports.call('sign/regist', { ...signed, invite }, QUIET)
    return ports.call('sign/login', purpose === 'exit' ? { ...signed, exit: true } : signed, QUIET)
  }

  async function follow(wallet: Chain.Wallet): Promise<void> {
    const { rememberWallet, watchWallet } = await ports.walletCode()
    rememberWallet(wallet.id)
    const tell = (answer: Answer) => {
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
     * The page is left: whatever is still open in the wallet is nobody's any more. Only the answer to a registration still
     * counts, for the account exists then.
     */
    end: (): void => {
      receive({ type: 'another-wallet' })
      stopWatching()
    },
  }
}

type In<At extends State['at']> = Extract<State, { at: At }>
type WalletRefusal = Chain.WalletProblem | 'no-account' | 'no-signature'

const walletSaid = (step: Step, account: Address | null, error: WalletRefusal): Answer =>
  error === 'refused'
    ? { type: 'wallet-refused' }
    : { type: 'failed', step, account, problem: { from: 'wallet', what: error } }

const serverSaid = (step: Step, account: Address, failure: Failure): Answer => ({
  type: 'failed',
  step,
  account,
  problem: { from: 'server', failure },
})
