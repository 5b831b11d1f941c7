import { assertNever } from '@lode/kernel'
import type { DataOf, RefusalCode } from '@lode/wire'
import type { Address, Hex } from 'viem'
import type { PoolChain, Wallet, WalletProblem } from '../../chain/index.ts'
import type { Failure } from '../../shared/api/index.ts'

/** The purpose of the signature. `exit`: the sign-in of a disabled account, to take its assets out. */
export type Purpose = 'login' | 'register' | 'exit'

/** The server's answer to a sign-in. It has a set-up code if the account was just registered. */
export type SignInAnswer = DataOf<'sign/login'> & { readonly setupCode?: string }

/** The steps that a member sees, in order. Success or failure follows. */
export type SignInStep = 'connect' | 'request' | 'sign' | 'submit'

export type SignInProblem =
  | { readonly from: 'wallet'; readonly what: Exclude<WalletProblem, 'refused'> | 'no-account' | 'no-signature' }
  | { readonly from: 'wallet'; readonly what: 'network-unchanged' }
  | {
      readonly from: 'wallet'
      readonly what: 'account-changed'
      readonly oldAccount: Address
      readonly newAccount: Address
    }
  | { readonly from: 'server'; readonly failure: Failure }

type InviteProblem = Extract<RefusalCode, 'invite-format' | 'invite-unknown'>

type ConnectedWallet = { readonly wallet: Wallet; readonly account: Address; readonly chain: PoolChain }
type SignatureRequest = ConnectedWallet & {
  readonly message: string
  readonly messageAt: number
  readonly inviterTail: string | null
}

/** Everything that the call to the server needs. */
type SignedRequest = SignatureRequest & { readonly signature: Hex }

type Stage =
  /** `inviteProblem` belongs to the field of the invitation code, not to the wallet. */
  | { readonly at: 'choosing'; readonly inviteProblem: InviteProblem | null }
  | { readonly at: 'connecting'; readonly wallet: Wallet }
  | ({
      readonly at: 'wrong-network'
      readonly switching: boolean
      readonly problem: SignInProblem | null
    } & ConnectedWallet)
  | ({ readonly at: 'checking' } & ConnectedWallet)
  | ({ readonly at: 'unregistered' } & ConnectedWallet)
  | ({ readonly at: 'registered' } & ConnectedWallet)
  | ({ readonly at: 'confirming' } & SignatureRequest)
  | ({ readonly at: 'signing' } & SignatureRequest)
  /** The member refused to sign in the wallet. That is not a failure: the button asks the wallet again. */
  | ({ readonly at: 'declined' } & SignatureRequest)
  | ({ readonly at: 'submitting' } & SignedRequest)
  | {
      readonly at: 'failed'
      readonly wallet: Wallet
      readonly account: Address | null
      readonly step: SignInStep
      readonly problem: SignInProblem
      /** The signature, if it was sent to the server. A signature that the server refused is not used up. */
      readonly signed: SignedRequest | null
    }
  | {
      readonly at: 'succeeded'
      readonly wallet: Wallet
      readonly account: Address
      readonly session: SignInAnswer
    }

export type SignInState = Stage & {
  readonly purpose: Purpose
  /** The invitation code in its canonical form. Null unless the member registers and has chosen a wallet. */
  readonly invite: string | null
  /**
   * Answers carry the number of their attempt. An answer that arrives after the member went back has an old number and
   * is ignored.
   */
  readonly attempt: number
}

/** Every state after a wallet was chosen. */
export type UnderwayState = Exclude<SignInState, { at: 'choosing' }>

export type MemberEvent =
  /** With an invitation code the member registers, without one it logs in. */
  | { readonly type: 'wallet-chosen'; readonly wallet: Wallet; readonly invite: string | null }
  | { readonly type: 'another-wallet' }
  | { readonly type: 'switch-network' }
  | { readonly type: 'inviter-confirmed'; readonly now: number }
  | { readonly type: 'sign-again'; readonly now: number }
  | { readonly type: 'try-again' }
  | { readonly type: 'log-in-instead' }
  | { readonly type: 'take-assets-out' }

export type RequestAnswer =
  | {
      readonly type: 'connected'
      readonly account: Address
      readonly chain: PoolChain
      readonly chainId: number | null
    }
  | { readonly type: 'network-switched' }
  | { readonly type: 'network-stayed'; readonly problem: SignInProblem }
  | { readonly type: 'checked'; readonly now: number; readonly answer: DataOf<'sign/check'> }
  | { readonly type: 'signed'; readonly signature: Hex }
  | { readonly type: 'submitted'; readonly session: SignInAnswer }
  | { readonly type: 'wallet-refused' }
  | {
      readonly type: 'failed'
      readonly step: SignInStep
      readonly account: Address | null
      readonly problem: SignInProblem
    }
  | { readonly type: 'account-changed'; readonly account: Address | null }
  | { readonly type: 'chain-changed'; readonly chainId: number | null }
  | { readonly type: 'wallet-disconnected' }

export type SignInEvent = MemberEvent | (RequestAnswer & { readonly attempt: number })

/** A message is valid for five minutes on the server. One that could expire in the wallet is requested again. */
const MESSAGE_FRESH_MS = 4 * 60_000

export const initialState: SignInState = {
  at: 'choosing',
  inviteProblem: null,
  purpose: 'login',
  invite: null,
  attempt: 0,
}

export function nextState(state: SignInState, event: SignInEvent): SignInState {
  if ('attempt' in event && event.attempt !== state.attempt) return state
  switch (event.type) {
    case 'wallet-chosen':
      return state.at === 'choosing'
        ? toConnecting(state, event.wallet, {
            purpose: event.invite === null ? 'login' : 'register',
            invite: event.invite,
          })
        : state
    case 'another-wallet':
      return mayLeave(state) ? toChoosing(state, null) : state
    case 'switch-network':
      return state.at === 'wrong-network' && !state.switching
        ? { ...startAttempt(state), switching: true, problem: null }
        : state
    case 'inviter-confirmed':
      return state.at === 'confirming' ? toSigning(state, event.now) : state
    case 'sign-again':
      return state.at === 'declined' ? toSigning(state, event.now) : state
    case 'try-again':
      return state.at === 'failed' ? toConnecting(state, state.wallet) : state
    case 'log-in-instead':
      return state.at === 'registered' ? toConnecting(state, state.wallet, { purpose: 'login', invite: null }) : state
    case 'take-assets-out':
      return state.at === 'failed' && isAccountDisabled(state.problem) ? toExit(state) : state

    case 'connected': {
      if (state.at !== 'connecting') return state
      const { account, chain, chainId } = event
      const connected = { ...commonFields(state), wallet: state.wallet, account, chain }
      return chainId === chain.chainId
        ? { ...connected, at: 'checking' }
        : { ...connected, at: 'wrong-network', switching: false, problem: null }
    }
    case 'network-switched':
      return state.at === 'wrong-network' ? toChecking(state) : state
    case 'network-stayed':
      return state.at === 'wrong-network' ? { ...state, switching: false, problem: event.problem } : state
    case 'checked':
      return state.at === 'checking' ? afterCheck(state, event.answer, event.now) : state
    case 'signed':
      return state.at === 'signing' ? { ...state, at: 'submitting', signature: event.signature } : state
    case 'submitted':
      return state.at === 'submitting'
        ? {
            ...commonFields(state),
            at: 'succeeded',
            wallet: state.wallet,
            account: state.account,
            session: event.session,
          }
        : state
    case 'wallet-refused':
      return afterRefusalInWallet(state)
    case 'failed':
      return toFailed(state, event)
    case 'account-changed':
      return afterAccountChange(state, event.account)
    case 'chain-changed':
      return afterChainChange(state, event.chainId)
    case 'wallet-disconnected':
      return isBetweenConnectAndSubmit(state) ? toDisconnected(state) : state
    default:
      return assertNever(event)
  }
}

/** The step to which the state belongs, whether it is under way, done or failed. Null if no wallet was chosen. */
export function currentStep(state: SignInState): SignInStep | null {
  switch (state.at) {
    case 'choosing':
      return null
    case 'connecting':
    case 'wrong-network':
      return 'connect'
    case 'checking':
    case 'unregistered':
    case 'registered':
    case 'confirming':
      return 'request'
    case 'signing':
    case 'declined':
      return 'sign'
    case 'submitting':
    case 'succeeded':
      return 'submit'
    case 'failed':
      return state.step
    default:
      return assertNever(state)
  }
}

/** True while the flow waits for the wallet or the server. A further tap only gets the reply to wait. */
export const isBusy = (state: SignInState): boolean =>
  state.at === 'connecting' ||
  state.at === 'checking' ||
  state.at === 'signing' ||
  state.at === 'submitting' ||
  (state.at === 'wrong-network' && state.switching)

export const isAccountDisabled = (problem: SignInProblem): boolean => refusalCode(problem) === 'account-disabled'

const refusalCode = (problem: SignInProblem): RefusalCode | null =>
  problem.from === 'server' && problem.failure.kind === 'refused' ? problem.failure.reason : null

type ConnectedState = Extract<SignInState, { chain: PoolChain }>
const commonFields = ({ purpose, invite, attempt }: SignInState) => ({ purpose, invite, attempt })
const startAttempt = <S extends SignInState>(state: S): S => ({ ...state, attempt: state.attempt + 1 })

const toChoosing = (state: SignInState, inviteProblem: InviteProblem | null): SignInState => ({
  ...commonFields(startAttempt(state)),
  at: 'choosing',
  inviteProblem,
})

const toConnecting = (
  state: SignInState,
  wallet: Wallet,
  change: Partial<Pick<SignInState, 'purpose' | 'invite'>> = {},
): SignInState => ({
  ...commonFields(startAttempt(state)),
  ...change,
  at: 'connecting',
  wallet,
})

const toChecking = (state: ConnectedState): SignInState => ({
  ...commonFields(startAttempt(state)),
  at: 'checking',
  wallet: state.wallet,
  account: state.account,
  chain: state.chain,
})

function afterCheck(
  state: Extract<SignInState, { at: 'checking' }>,
  answer: DataOf<'sign/check'>,
  now: number,
): SignInState {
  const wantsToRegister = state.purpose === 'register'
  if (answer.action === 'register' && !wantsToRegister) return { ...state, at: 'unregistered' }
  if (answer.action === 'login' && wantsToRegister) return { ...state, at: 'registered' }
  const { message, inviterTail } = answer
  if (message === null || (wantsToRegister && inviterTail === null)) {
    return toFailed(state, { step: 'request', account: state.account, problem: unexpectedAnswer })
  }
  return { ...state, at: wantsToRegister ? 'confirming' : 'signing', message, messageAt: now, inviterTail }
}

const unexpectedAnswer: SignInProblem = { from: 'server', failure: { kind: 'unreadable' } }

const toSigning = (state: Extract<SignInState, { message: string }>, now: number): SignInState =>
  now - state.messageAt < MESSAGE_FRESH_MS ? { ...startAttempt(state), at: 'signing' } : toChecking(state)

/** The same signature opens an exit session: it was given for a full sign-in, and an exit session may do less. */
function toExit(state: Extract<SignInState, { at: 'failed' }>): SignInState {
  const exit = { ...commonFields(startAttempt(state)), purpose: 'exit', invite: null } as const
  return state.signed
    ? { ...exit, ...state.signed, at: 'submitting' }
    : { ...exit, at: 'connecting', wallet: state.wallet }
}

function afterRefusalInWallet(state: SignInState): SignInState {
  switch (state.at) {
    case 'connecting':
      return toChoosing(state, null)
    case 'wrong-network':
      return { ...state, switching: false }
    case 'signing':
      return { ...state, at: 'declined' }
    default:
      return state
  }
}

function toFailed(
  state: SignInState,
  failure: Pick<Extract<RequestAnswer, { type: 'failed' }>, 'step' | 'account' | 'problem'>,
): SignInState {
  if (state.at === 'choosing' || state.at === 'succeeded') return state
  const { step, account, problem } = failure
  const refusal = refusalCode(problem)
  if (refusal === 'invite-unknown' || refusal === 'invite-format') return toChoosing(state, refusal)
  const signed = state.at === 'submitting' ? signedPart(state) : null
  return { ...commonFields(startAttempt(state)), at: 'failed', wallet: state.wallet, account, step, problem, signed }
}

const signedPart = ({
  wallet,
  account,
  chain,
  message,
  messageAt,
  inviterTail,
  signature,
}: SignedRequest): SignedRequest => ({
  wallet,
  account,
  chain,
  message,
  messageAt,
  inviterTail,
  signature,
})

/** False after a registration was sent: it cannot be canceled, and only its answer has the set-up code. */
const mayLeave = (state: SignInState): boolean =>
  state.at !== 'choosing' && state.at !== 'succeeded' && !(state.at === 'submitting' && state.purpose === 'register')

/** False once the signature was sent: then the session belongs to that account, whatever the wallet does. */
const isBetweenConnectAndSubmit = (state: SignInState): state is ConnectedState =>
  'chain' in state && state.at !== 'submitting'

function afterAccountChange(state: SignInState, account: Address | null): SignInState {
  if (!isBetweenConnectAndSubmit(state) || account === state.account) return state
  if (account === null) return toDisconnected(state)
  const problem: SignInProblem = {
    from: 'wallet',
    what: 'account-changed',
    oldAccount: state.account,
    newAccount: account,
  }
  return toFailed(state, { step: currentStep(state) ?? 'connect', account: state.account, problem })
}

const toDisconnected = (state: ConnectedState): SignInState =>
  toFailed(state, {
    step: currentStep(state) ?? 'connect',
    account: state.account,
    problem: { from: 'wallet', what: 'disconnected' },
  })

function afterChainChange(state: SignInState, chainId: number | null): SignInState {
  if (!isBetweenConnectAndSubmit(state)) return state
  const isRightChain = chainId === state.chain.chainId
  if (state.at === 'wrong-network') return isRightChain ? toChecking(state) : state
  if (isRightChain) return state
  const { wallet, account, chain } = state
  return {
    ...commonFields(startAttempt(state)),
    at: 'wrong-network',
    wallet,
    account,
    chain,
    switching: false,
    problem: null,
  }
}
