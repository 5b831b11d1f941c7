import { assertNever } from '@lode/kernel'
import type { DataOf, RefusalCode } from '@lode/wire'
import type { Address, Hex } from 'viem'
import type { Chain, Wallet, WalletProblem } from '../../chain/index.ts'
import type { Failure } from '../../shared/api/index.ts'

/** The purpose of the signature. `exit`: the sign-in of a disabled account, to take its assets out. */
export type Purpose = 'login' | 'register' | 'exit'

/** The server's answer to a sign-in. It has a set-up code if the account was just registered. */
export type Entered = DataOf<'sign/login'> & { readonly setupCode?: string }

/** The steps that a member sees, in order. Success or failure follows. */
export type Step = 'connect' | 'request' | 'sign' | 'submit'

export type Problem =
  | { readonly from: 'wallet'; readonly what: Exclude<WalletProblem, 'refused'> | 'no-account' | 'no-signature' }
  | { readonly from: 'wallet'; readonly what: 'network-unchanged' }
  | { readonly from: 'wallet'; readonly what: 'account-changed'; readonly was: Address; readonly now: Address }
  | { readonly from: 'server'; readonly failure: Failure }

type InviteProblem = Extract<RefusalCode, 'invite-format' | 'invite-unknown'>

type Signer = { readonly wallet: Wallet; readonly account: Address; readonly chain: Chain }
type Asked = Signer & {
  readonly message: string
  readonly messageAt: number
  readonly inviterTail: string | null
}

/** Everything that the call to the server needs. */
type Signed = Asked & { readonly signature: Hex }

type Stage =
  /** `inviteProblem` belongs to the field of the invitation code, not to the wallet. */
  | { readonly at: 'choosing'; readonly inviteProblem: InviteProblem | null }
  | { readonly at: 'connecting'; readonly wallet: Wallet }
  | ({ readonly at: 'wrong-network'; readonly switching: boolean; readonly problem: Problem | null } & Signer)
  | ({ readonly at: 'checking' } & Signer)
  | ({ readonly at: 'unregistered' } & Signer)
  | ({ readonly at: 'registered' } & Signer)
  | ({ readonly at: 'confirming' } & Asked)
  | ({ readonly at: 'signing' } & Asked)
  /** The member said no in the wallet. That is not a failure: the button waits for another press. */
  | ({ readonly at: 'declined' } & Asked)
  | ({ readonly at: 'submitting' } & Signed)
  | {
      readonly at: 'failed'
      readonly wallet: Wallet
      readonly account: Address | null
      readonly step: Step
      readonly problem: Problem
      /** The signature that the server refused, if there was one. A refused signature is not used up. */
      readonly signed: Signed | null
    }
  | {
      readonly at: 'succeeded'
      readonly wallet: Wallet
      readonly account: Address
      readonly session: Entered
    }

export type State = Stage & {
  readonly purpose: Purpose
  /** The code in its canonical form. Set exactly if the purpose is to register and a wallet was chosen. */
  readonly invite: string | null
  /**
   * Answers carry the number of their attempt. An answer that arrives after the member went back has an old number and
   * is ignored.
   */
  readonly attempt: number
}

/** Every state after a wallet was chosen. */
export type Underway = Exclude<State, { at: 'choosing' }>

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

export type Answer =
  | {
      readonly type: 'connected'
      readonly account: Address
      readonly chain: Chain
      readonly chainId: number | null
    }
  | { readonly type: 'network-switched' }
  | { readonly type: 'network-stayed'; readonly problem: Problem }
  | { readonly type: 'checked'; readonly now: number; readonly answer: DataOf<'sign/check'> }
  | { readonly type: 'signed'; readonly signature: Hex }
  | { readonly type: 'submitted'; readonly session: Entered }
  | { readonly type: 'wallet-refused' }
  | { readonly type: 'failed'; readonly step: Step; readonly account: Address | null; readonly problem: Problem }
  | { readonly type: 'account-changed'; readonly account: Address | null }
  | { readonly type: 'chain-changed'; readonly chainId: number | null }
  | { readonly type: 'wallet-disconnected' }

export type Event = MemberEvent | (Answer & { readonly attempt: number })

/** A message is valid for five minutes on the server. One that could expire in the wallet is requested again. */
const MESSAGE_FRESH_MS = 4 * 60_000

export const beginning: State = {
  at: 'choosing',
  inviteProblem: null,
  purpose: 'login',
  invite: null,
  attempt: 0,
}

export function next(state: State, event: Event): State {
  if ('attempt' in event && event.attempt !== state.attempt) return state
  switch (event.type) {
    case 'wallet-chosen':
      return state.at === 'choosing'
        ? connecting(state, event.wallet, {
            purpose: event.invite === null ? 'login' : 'register',
            invite: event.invite,
          })
        : state
    case 'another-wallet':
      return mayLeave(state) ? choosing(state, null) : state
    case 'switch-network':
      return state.at === 'wrong-network' && !state.switching
        ? { ...again(state), switching: true, problem: null }
        : state
    case 'inviter-confirmed':
      return state.at === 'confirming' ? sign(state, event.now) : state
    case 'sign-again':
      return state.at === 'declined' ? sign(state, event.now) : state
    case 'try-again':
      return state.at === 'failed' ? connecting(state, state.wallet) : state
    case 'log-in-instead':
      return state.at === 'registered' ? connecting(state, state.wallet, { purpose: 'login', invite: null }) : state
    case 'take-assets-out':
      return state.at === 'failed' && isDisabled(state.problem) ? takeOut(state) : state

    case 'connected': {
      if (state.at !== 'connecting') return state
      const { account, chain, chainId } = event
      const signer = { ...shared(state), wallet: state.wallet, account, chain }
      return chainId === chain.chainId
        ? { ...signer, at: 'checking' }
        : { ...signer, at: 'wrong-network', switching: false, problem: null }
    }
    case 'network-switched':
      return state.at === 'wrong-network' ? check(state) : state
    case 'network-stayed':
      return state.at === 'wrong-network' ? { ...state, switching: false, problem: event.problem } : state
    case 'checked':
      return state.at === 'checking' ? checked(state, event.answer, event.now) : state
    case 'signed':
      return state.at === 'signing' ? { ...state, at: 'submitting', signature: event.signature } : state
    case 'submitted':
      return state.at === 'submitting'
        ? {
            ...shared(state),
            at: 'succeeded',
            wallet: state.wallet,
            account: state.account,
            session: event.session,
          }
        : state
    case 'wallet-refused':
      return refusedInWallet(state)
    case 'failed':
      return failed(state, event)
    case 'account-changed':
      return accountChanged(state, event.account)
    case 'chain-changed':
      return chainChanged(state, event.chainId)
    case 'wallet-disconnected':
      return isBetweenConnectAndSubmit(state) ? lost(state) : state
    default:
      return assertNever(event)
  }
}

/** The step that is current, or completed, or that failed. Null if none has begun. */
export function stepOf(state: State): Step | null {
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
export const isBusy = (state: State): boolean =>
  state.at === 'connecting' ||
  state.at === 'checking' ||
  state.at === 'signing' ||
  state.at === 'submitting' ||
  (state.at === 'wrong-network' && state.switching)

export const isDisabled = (problem: Problem): boolean => refusalIn(problem) === 'account-disabled'

const refusalIn = (problem: Problem): RefusalCode | null =>
  problem.from === 'server' && problem.failure.kind === 'refused' ? problem.failure.reason : null

type Waiting = Extract<State, { chain: Chain }>
const shared = ({ purpose, invite, attempt }: State) => ({ purpose, invite, attempt })
const again = <S extends State>(state: S): S => ({ ...state, attempt: state.attempt + 1 })

const choosing = (state: State, inviteProblem: InviteProblem | null): State => ({
  ...shared(again(state)),
  at: 'choosing',
  inviteProblem,
})

const connecting = (state: State, wallet: Wallet, change: Partial<Pick<State, 'purpose' | 'invite'>> = {}): State => ({
  ...shared(again(state)),
  ...change,
  at: 'connecting',
  wallet,
})

const check = (state: Waiting): State => ({
  ...shared(again(state)),
  at: 'checking',
  wallet: state.wallet,
  account: state.account,
  chain: state.chain,
})

function checked(state: Extract<State, { at: 'checking' }>, answer: DataOf<'sign/check'>, now: number): State {
  const wantsToRegister = state.purpose === 'register'
  if (answer.action === 'register' && !wantsToRegister) return { ...state, at: 'unregistered' }
  if (answer.action === 'login' && wantsToRegister) return { ...state, at: 'registered' }
  const { message, inviterTail } = answer
  if (message === null || (wantsToRegister && inviterTail === null)) {
    return failed(state, { step: 'request', account: state.account, problem: unexpectedAnswer })
  }
  return { ...state, at: wantsToRegister ? 'confirming' : 'signing', message, messageAt: now, inviterTail }
}

const unexpectedAnswer: Problem = { from: 'server', failure: { kind: 'unreadable' } }

const sign = (state: Extract<State, { message: string }>, now: number): State =>
  now - state.messageAt < MESSAGE_FRESH_MS ? { ...again(state), at: 'signing' } : check(state)

/** The same signature opens an exit session: it was given for a full sign-in, and an exit session may do less. */
function takeOut(state: Extract<State, { at: 'failed' }>): State {
  const exit = { ...shared(again(state)), purpose: 'exit', invite: null } as const
  return state.signed
    ? { ...exit, ...state.signed, at: 'submitting' }
    : { ...exit, at: 'connecting', wallet: state.wallet }
}

function refusedInWallet(state: State): State {
  switch (state.at) {
    case 'connecting':
      return choosing(state, null)
    case 'wrong-network':
      return { ...state, switching: false }
    case 'signing':
      return { ...state, at: 'declined' }
    default:
      return state
  }
}

function failed(
  state: State,
  failure: Pick<Extract<Answer, { type: 'failed' }>, 'step' | 'account' | 'problem'>,
): State {
  if (state.at === 'choosing' || state.at === 'succeeded') return state
  const { step, account, problem } = failure
  const refusal = refusalIn(problem)
  if (refusal === 'invite-unknown' || refusal === 'invite-format') return choosing(state, refusal)
  const signed = state.at === 'submitting' ? signedPart(state) : null
  return { ...shared(again(state)), at: 'failed', wallet: state.wallet, account, step, problem, signed }
}

const signedPart = ({ wallet, account, chain, message, messageAt, inviterTail, signature }: Signed): Signed => ({
  wallet,
  account,
  chain,
  message,
  messageAt,
  inviterTail,
  signature,
})

/** A registration that was sent cannot be canceled, and its answer has the set-up code, which is given only once. */
const mayLeave = (state: State): boolean =>
  state.at !== 'choosing' && state.at !== 'succeeded' && !(state.at === 'submitting' && state.purpose === 'register')

/** Once the signature was sent, the session belongs to that account, whatever the wallet does. */
const isBetweenConnectAndSubmit = (state: State): state is Waiting => 'chain' in state && state.at !== 'submitting'

function accountChanged(state: State, account: Address | null): State {
  if (!isBetweenConnectAndSubmit(state) || account === state.account) return state
  if (account === null) return lost(state)
  const problem: Problem = { from: 'wallet', what: 'account-changed', was: state.account, now: account }
  return failed(state, { step: stepOf(state) ?? 'connect', account: state.account, problem })
}

const lost = (state: Waiting): State =>
  failed(state, {
    step: stepOf(state) ?? 'connect',
    account: state.account,
    problem: { from: 'wallet', what: 'disconnected' },
  })

function chainChanged(state: State, chainId: number | null): State {
  if (!isBetweenConnectAndSubmit(state)) return state
  const right = chainId === state.chain.chainId
  if (state.at === 'wrong-network') return right ? check(state) : state
  if (right) return state
  const { wallet, account, chain } = state
  return { ...shared(again(state)), at: 'wrong-network', wallet, account, chain, switching: false, problem: null }
}
