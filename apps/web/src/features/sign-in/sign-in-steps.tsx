import { ChevronDown } from 'lucide-react'
import type { ReactNode } from 'react'
import { shortAddress } from '../../shared/format/index.ts'
import type { TextFunction } from '../../shared/i18n/index.ts'
import type { Step as ShownStep } from '../../shared/ui/index.ts'
import { problemText } from './problem-text.ts'
import styles from './sign-in.module.css'
import { currentStep, isAccountDisabled, type SignInStep, type UnderwayState } from './sign-in-machine.ts'
import { walletName } from './wallet-name.ts'

const STEP_ORDER: readonly SignInStep[] = ['connect', 'request', 'sign', 'submit']

/** The steps for display: done, current and next ones, and success or failure as the last. */
export function buildSignInSteps(t: TextFunction, state: UnderwayState): ShownStep[] {
  const current = currentStep(state) ?? 'connect'
  const currentIndex = STEP_ORDER.indexOf(current)
  const shown = state.at === 'failed' ? STEP_ORDER.slice(0, currentIndex + 1) : STEP_ORDER
  const steps = shown.map(
    (step, index): ShownStep => ({
      key: step,
      title: stepTitle(t, state, step),
      state: index < currentIndex ? 'done' : index > currentIndex ? 'waiting' : currentStepState(state),
      detail: stepDetail(t, state, step),
    }),
  )
  const outcome = outcomeStep(t, state)
  return outcome ? [...steps, outcome] : steps
}

function currentStepState(state: UnderwayState): ShownStep['state'] {
  switch (state.at) {
    case 'failed':
      return 'failed'
    case 'succeeded':
    case 'unregistered':
    case 'registered':
    case 'confirming':
      return 'done'
    default:
      return 'current'
  }
}

function stepTitle(t: TextFunction, state: UnderwayState, step: SignInStep): string {
  const isRegistering = state.purpose === 'register'
  if (step === 'request') return isRegistering ? t('signIn.steps.requestRegister') : t('signIn.steps.request')
  if (step === 'submit') return isRegistering ? t('signIn.steps.register') : t('signIn.steps.login')
  return t(`signIn.steps.${step}`)
}

function stepDetail(t: TextFunction, state: UnderwayState, step: SignInStep): ReactNode {
  const wallet = walletName(t, state.wallet)
  if (step === 'connect') {
    if (state.at === 'connecting') return t('signIn.openToConnect')
    const line = state.account ? `${wallet} · ${shortAddress(state.account)}` : wallet
    if (state.at !== 'wrong-network') return line
    const network = state.chain.name
    return (
      <>
        <p>{line}</p>
        <p className={styles.trouble} role="alert">
          {state.problem ? problemText(t, state.problem, 'connect', network) : t('signIn.wrongNetwork', { network })}
        </p>
      </>
    )
  }
  if (step === 'request') {
    if (state.at === 'unregistered') return t('signIn.unregistered')
    if (state.at === 'registered') return t('signIn.registered')
    return 'inviterTail' in state && state.inviterTail ? t('signIn.inviterIs', { tail: state.inviterTail }) : undefined
  }
  if (step === 'sign' && (state.at === 'signing' || state.at === 'declined')) {
    return (
      <>
        <p>{signingText(t, state)}</p>
        {state.purpose !== 'exit' && <p>{t(`signIn.means.${state.purpose}`)}</p>}
        <details className={styles.message}>
          <summary>
            {t('signIn.readMessage')}
            <ChevronDown size={14} aria-hidden="true" />
          </summary>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
          <pre lang="en" tabIndex={0}>
            {state.message}
          </pre>
        </details>
      </>
    )
  }
  return undefined
}

function signingText(t: TextFunction, state: UnderwayState): string {
  if (state.at === 'declined') return t('signIn.declined')
  return state.purpose === 'exit' ? t('signIn.openToExit') : t('signIn.openToSign')
}

function outcomeStep(t: TextFunction, state: UnderwayState): ShownStep | null {
  const registering = state.purpose === 'register'
  if (state.at === 'succeeded') {
    const title = registering ? t('signIn.outcome.registerSucceeded') : t('signIn.outcome.loginSucceeded')
    return { key: 'outcome', state: 'done', title }
  }
  if (state.at !== 'failed') return null
  return {
    key: 'outcome',
    state: 'failed',
    title: registering ? t('signIn.outcome.registerFailed') : t('signIn.outcome.loginFailed'),
    detail: (
      <>
        <p>{problemText(t, state.problem, state.step)}</p>
        {isAccountDisabled(state.problem) && <p>{t('signIn.takeOutText')}</p>}
      </>
    ),
  }
}
