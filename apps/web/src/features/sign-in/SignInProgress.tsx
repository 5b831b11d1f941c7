import { assertNever } from '@lode/kernel'
import { type ReactNode, Suspense, useEffect, useRef } from 'react'
import { loadMemberTexts, useText } from '../../shared/i18n/index.ts'
import { showMessage } from '../../shared/notify/index.ts'
import { lazyComponent } from '../../shared/parts/index.ts'
import { Button, Card, LanguageSelect, Steps, TopBar, View } from '../../shared/ui/index.ts'
import type { SignInFlow } from './sign-in-flow.ts'
import { isAccountDisabled, type UnderwayState } from './sign-in-machine.ts'
import { buildSignInSteps } from './sign-in-steps.tsx'
import { walletName } from './wallet-name.ts'

const InviterSheet = lazyComponent(async () => {
  const [sheet] = await Promise.all([import('./InviterSheet.tsx'), loadMemberTexts()])
  return sheet.InviterSheet
})

type SignInProgressProps = {
  /** The same header as on the wallet choice. It is drawn above the steps. */
  brand: ReactNode
  state: UnderwayState
  send: SignInFlow['send']
  /** The account is not registered: go to the registration page. */
  onRegister: () => void
}

/** Everything after a wallet was chosen: the steps, and the button for the next action. */
export function SignInProgress({ brand, state, send, onRegister }: SignInProgressProps) {
  const t = useText()
  const chooseAnotherWallet = () => send({ type: 'another-wallet' })
  const stepsRef = useRef<HTMLDivElement>(null)

  // On a short screen the current step can be outside the visible area.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the current step changes with state.at
  useEffect(() => {
    const stepsElement = stepsRef.current
    const currentStep =
      stepsElement?.querySelector('[aria-current=step]') ?? stepsElement?.querySelector('[data-state=failed]')
    currentStep?.scrollIntoView({ block: 'nearest' })
  }, [state.at])

  return (
    <View
      top={<TopBar end={<LanguageSelect />} />}
      foot={
        <>
          <NextAction state={state} send={send} onRegister={onRegister} />
          {state.at !== 'submitting' && state.at !== 'succeeded' && (
            <Button tone="plain" onClick={chooseAnotherWallet}>
              {t('signIn.anotherWallet')}
            </Button>
          )}
        </>
      }
    >
      {brand}
      <div ref={stepsRef}>
        <Card>
          <Steps label={t('signIn.progress')} steps={buildSignInSteps(t, state)} />
        </Card>
      </div>
      {state.at === 'confirming' && state.inviterTail !== null && (
        <Suspense fallback={null}>
          <InviterSheet
            tail={state.inviterTail}
            onConfirm={() => send({ type: 'inviter-confirmed', now: Date.now() })}
            onClose={chooseAnotherWallet}
          />
        </Suspense>
      )}
    </View>
  )
}

function NextAction({ state, send, onRegister }: Omit<SignInProgressProps, 'brand'>): ReactNode {
  const t = useText()
  const wallet = walletName(t, state.wallet)
  switch (state.at) {
    case 'connecting':
    case 'signing':
      return <WaitingButton>{t('signIn.waitingFor', { wallet })}</WaitingButton>
    case 'checking':
    case 'submitting':
      return <WaitingButton>{t('signIn.working')}</WaitingButton>
    case 'wrong-network':
      return state.switching ? (
        <WaitingButton>{t('signIn.waitingFor', { wallet })}</WaitingButton>
      ) : (
        <Button onClick={() => send({ type: 'switch-network' })}>
          {t('signIn.switchNetwork', { network: state.chain.name })}
        </Button>
      )
    case 'unregistered':
      return <Button onClick={onRegister}>{t('signIn.registerThis')}</Button>
    case 'registered':
      return <Button onClick={() => send({ type: 'log-in-instead' })}>{t('signIn.loginThis')}</Button>
    case 'declined':
      return (
        <Button onClick={() => send({ type: 'sign-again', now: Date.now() })}>
          {t('signIn.openAgain', { wallet })}
        </Button>
      )
    case 'failed':
      return isAccountDisabled(state.problem) && state.purpose !== 'exit' ? (
        <Button onClick={() => send({ type: 'take-assets-out' })}>{t('signIn.takeOut')}</Button>
      ) : (
        <Button onClick={() => send({ type: 'try-again' })}>{t('common.retry')}</Button>
      )
    case 'confirming':
    case 'succeeded':
      return null
    default:
      return assertNever(state)
  }
}

/** A button for the time of waiting. A tap on it shows a message to wait. */
function WaitingButton({ children }: { children: string }) {
  const t = useText()
  return (
    <Button tone="quiet" onClick={() => showMessage({ tone: 'info', text: t('signIn.pleaseWait') })}>
      {children}
    </Button>
  )
}
