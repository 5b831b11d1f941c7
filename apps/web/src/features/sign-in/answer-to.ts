import type { Result } from '@lode/kernel'
import type { Language } from '@lode/wire'
import type { Address } from 'viem'
import type * as Chain from '../../chain/index.ts'
import type { call, Failure } from '../../shared/api/index.ts'
import type { Answer, Entered, Purpose, State, Step } from './machine.ts'

type WalletAction =
  | 'connect'
  | 'currentAccount'
  | 'currentChainId'
  | 'rememberWallet'
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
  readonly signedIn: (session: Entered, purpose: Purpose) => void
}

type In<At extends State['at']> = Extract<State, { at: At }>

/** Failures are shown among the steps, not as toasts. */
const QUIET = { quiet: true }

/**
 * Sends the request of a state to the wallet or to the server, and returns the answer. Undefined if the state has none.
 */
export async function answerTo(ports: Ports, state: State): Promise<Answer | undefined> {
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

async function connectWallet({ walletCode, call }: Ports, { wallet }: In<'connecting'>): Promise<Answer> {
  const { connect, currentChainId } = await walletCode()
  const asking = call('pool/chain', {}, QUIET)
  const connected = await connect(wallet.provider)
  if (!connected.ok) return walletSaid('connect', null, connected.error)
  const account = connected.value
  const chain = await asking
  if (!chain.ok) return serverSaid('request', account, chain.error)
  const chainId = await currentChainId(wallet.provider)
  if (!chainId.ok) return walletSaid('connect', account, chainId.error)
  return { type: 'connected', account, chain: chain.value, chainId: chainId.value }
}

async function switchNetwork({ walletCode }: Ports, { wallet, chain }: In<'wrong-network'>): Promise<Answer> {
  const { switchChain } = await walletCode()
  const switched = await switchChain(wallet.provider, chain)
  if (switched.ok) return { type: 'network-switched' }
  if (switched.error === 'refused') return { type: 'wallet-refused' }
  const what = switched.error === 'unchanged' ? 'network-unchanged' : switched.error
  return { type: 'network-stayed', problem: { from: 'wallet', what } }
}

async function checkAccount({ call, now }: Ports, { account, invite }: In<'checking'>): Promise<Answer> {
  const checked = await call('sign/check', invite === null ? { account } : { account, invite }, QUIET)
  if (!checked.ok) return serverSaid('request', account, checked.error)
  return { type: 'checked', answer: checked.value, now: now() }
}

async function signMessage({ walletCode }: Ports, { wallet, account, message }: In<'signing'>): Promise<Answer> {
  const { signMessage, currentAccount } = await walletCode()
  const signed = await signMessage(wallet.provider, account, message)
  if (!signed.ok) return walletSaid('sign', account, signed.error)
  // Some wallets sign with the account that they show at that moment, and do not report that it was changed.
  const current = await currentAccount(wallet.provider)
  if (current.ok && current.value !== null && current.value !== account) {
    return { type: 'account-changed', account: current.value }
  }
  return { type: 'signed', signature: signed.value }
}

async function submit(ports: Ports, state: In<'submitting'>): Promise<Answer> {
  const done = state.purpose === 'register' ? ports.startLoading() : undefined
  const submitted = await sendSignature(ports, state)
  done?.()
  if (!submitted.ok) return serverSaid('submit', state.account, submitted.error)
  return { type: 'submitted', session: submitted.value }
}

function sendSignature(
  { call, language, device }: Ports,
  { message, signature, invite, purpose }: In<'submitting'>,
): Promise<Result<Entered, Failure>> {
  const signed = { message, signature, lang: language(), device: device() }
  if (invite !== null) return call('sign/regist', { ...signed, invite }, QUIET)
  return call('sign/login', purpose === 'exit' ? { ...signed, exit: true } : signed, QUIET)
}

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
