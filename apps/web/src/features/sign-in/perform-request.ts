import type { Result } from '@lode/kernel'
import type { Language } from '@lode/wire'
import type { Address } from 'viem'
import type * as Chain from '../../chain/index.ts'
import type { call, Failure } from '../../shared/api/index.ts'
import type { Purpose, RequestAnswer, SignInAnswer, SignInState, SignInStep } from './sign-in-machine.ts'

type WalletAction =
  | 'connect'
  | 'currentAccount'
  | 'currentChainId'
  | 'saveLastWalletId'
  | 'signMessage'
  | 'switchChain'
  | 'watchWallet'

/** What the flow needs from outside. The wallet code is loaded on demand, so it is passed in and not imported. */
export type Ports = {
  readonly walletCode: () => Promise<Pick<typeof Chain, WalletAction>>
  readonly call: typeof call
  readonly language: () => Language
  /** The id of this browser, by which the server recognizes it. */
  readonly device: () => string
  readonly now: () => number
  /** Covers the whole app until the returned function is called: nothing else may begin during a registration. */
  readonly startLoading: () => () => void
  /** Called once, before the state `succeeded` is visible. */
  readonly signedIn: (session: SignInAnswer, purpose: Purpose) => void
}

type StateAt<At extends SignInState['at']> = Extract<SignInState, { at: At }>

/** Failures are shown among the steps, not as toasts. */
const QUIET = { quiet: true }

/**
 * Sends the request of a state to the wallet or to the server, and returns the answer. Undefined if the state has none.
 */
export async function performRequest(ports: Ports, state: SignInState): Promise<RequestAnswer | undefined> {
  switch (state.at) {
    case 'connecting':
      return connectWallet(ports, state)
    case 'wrong-network':
      return state.switching ? switchNetwork(ports, state) : undefined
    case 'checking':
      return checkAccount(ports, state)
    case 'signing':
      return signMessage(ports, state)
    case 'submitting':
      return submit(ports, state)
    default:
      return undefined
  }
}

async function connectWallet({ walletCode, call }: Ports, { wallet }: StateAt<'connecting'>): Promise<RequestAnswer> {
  const { connect, currentChainId } = await walletCode()
  const chainAnswer = call('pool/chain', {}, QUIET)
  const connected = await connect(wallet.provider)
  if (!connected.ok) return walletFailure('connect', null, connected.error)
  const account = connected.value
  const chain = await chainAnswer
  if (!chain.ok) return serverFailure('request', account, chain.error)
  const chainId = await currentChainId(wallet.provider)
  if (!chainId.ok) return walletFailure('connect', account, chainId.error)
  return { type: 'connected', account, chain: chain.value, chainId: chainId.value }
}

async function switchNetwork(
  { walletCode }: Ports,
  { wallet, chain }: StateAt<'wrong-network'>,
): Promise<RequestAnswer> {
  const { switchChain } = await walletCode()
  const switched = await switchChain(wallet.provider, chain)
  if (switched.ok) return { type: 'network-switched' }
  if (switched.error === 'refused') return { type: 'wallet-refused' }
  const what = switched.error === 'unchanged' ? 'network-unchanged' : switched.error
  return { type: 'network-stayed', problem: { from: 'wallet', what } }
}

async function checkAccount({ call, now }: Ports, { account, invite }: StateAt<'checking'>): Promise<RequestAnswer> {
  const checked = await call('sign/check', invite === null ? { account } : { account, invite }, QUIET)
  if (!checked.ok) return serverFailure('request', account, checked.error)
  return { type: 'checked', answer: checked.value, now: now() }
}

async function signMessage(
  { walletCode }: Ports,
  { wallet, account, message }: StateAt<'signing'>,
): Promise<RequestAnswer> {
  const { signMessage, currentAccount } = await walletCode()
  const signed = await signMessage(wallet.provider, account, message)
  if (!signed.ok) return walletFailure('sign', account, signed.error)
  // Some wallets sign with the account that they show at that moment, and do not report that it was changed.
  const current = await currentAccount(wallet.provider)
  if (current.ok && current.value !== null && current.value !== account) {
    return { type: 'account-changed', account: current.value }
  }
  return { type: 'signed', signature: signed.value }
}

async function submit(ports: Ports, state: StateAt<'submitting'>): Promise<RequestAnswer> {
  const done = state.purpose === 'register' ? ports.startLoading() : undefined
  const submitted = await sendSignature(ports, state)
  done?.()
  if (!submitted.ok) return serverFailure('submit', state.account, submitted.error)
  return { type: 'submitted', session: submitted.value }
}

function sendSignature(
  { call, language, device }: Ports,
  { message, signature, invite, purpose }: StateAt<'submitting'>,
): Promise<Result<SignInAnswer, Failure>> {
  const signed = { message, signature, lang: language(), device: device() }
  if (invite !== null) return call('sign/regist', { ...signed, invite }, QUIET)
  return call('sign/login', purpose === 'exit' ? { ...signed, exit: true } : signed, QUIET)
}

type WalletRefusal = Chain.WalletProblem | 'no-account' | 'no-signature'

const walletFailure = (step: SignInStep, account: Address | null, error: WalletRefusal): RequestAnswer =>
  error === 'refused'
    ? { type: 'wallet-refused' }
    : { type: 'failed', step, account, problem: { from: 'wallet', what: error } }

const serverFailure = (step: SignInStep, account: Address, failure: Failure): RequestAnswer => ({
  type: 'failed',
  step,
  account,
  problem: { from: 'server', failure },
})
