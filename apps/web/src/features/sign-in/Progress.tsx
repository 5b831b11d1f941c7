import { assertNever } from '@lode/kernel'
import { type ReactNode, Suspense, useEffect, useRef } from 'react'
import { useText } from '../../shared/i18n/index.ts'
import { showMessage } from '../../shared/notify/index.ts'
import { lazyPart } from '../../shared/parts/index.ts'
import { Button, Card, LanguageSelect, Steps, TopBar, View } from '../../shared/ui/index.ts'
import type { Flow } from './flow.ts'
import { isDisabled, type Underway } from './machine.ts'
import { stepsOf } from './steps.tsx'
import { walletName } from './wallet-name.ts'

const InviterSheet = lazyPart(async () => (await import('./InviterSheet.tsx')).InviterSheet)

type ProgressProps = {
  /** The header of the wallet choice. It stays above the steps. */
  brand: ReactNode
  state: Underway
  send: Flow['send']
  /** The account is not registered: go to the registration page. */
  onRegister: () => void
}

/** Everything after a wallet was chosen: the steps, and the button for the next action. */
export function Progress({ brand, state, send, onRegister }: ProgressProps) {
  const t = useText()
  const leave = () => send({ type: 'another-wallet' })
  const steps = useRef<HTMLDivElement>(null)

  // On a short screen the current step can be outside the visible area.
  // biome-ignore lint/correctness/useExhaustiveDependencies: each state brings another step
  useEffect(() => {
    const lines = steps.current
    const alive = lines?.querySelector('[aria-current=step]') ?? lines?.querySelector('[data-state=failed]')
    alive?.scrollIntoView({ block: 'nearest' })
  }, [state.at])

  return (
    <View
      top={<TopBar end={<LanguageSelect />} />}
      foot={
        <>
          <Action state={state} send={send} onRegister={onRegister} />
          {state.at !== 'submitting' && state.at !== 'succeeded' && (
            <Button tone="plain" onClick={leave}>
              {t('signIn.anotherWallet')}
            </Button>
          )}
        </>
      }
    >
      {brand}
      <div ref={steps}>
        <Card>
          <Steps label={t('signIn.progress')} steps={stepsOf(t, state)} />
        </Card>
      </div>
      {state.at === 'confirming' && state.inviterTail !== null && (
        <Suspense fallback={null}>
          <InviterSheet
            tail={state.inviterTail}
            onConfirm={() => send({ type: 'inviter-confirmed', now: Date.now() })}
            onClose={leave}
          />
        </Suspense>
      )}
    </View>
  )
}

function Action({ state, send, onRegister }: Omit<ProgressProps, 'brand'>): ReactNode {
  const t = useText()
  const wallet = walletName(t, state.wallet)
  switch (state.at) {
    case 'connecting':
    case 'signing':
      return <Waiting>{t('signIn.waitingFor', { wallet })}</Waiting>
    case 'checking':
    case 'submitting':
      return <Waiting>{t('signIn.working')}</Waiting>
    case 'wrong-network':
      return state.switching ? (
        <Waiting>{t('signIn.waitingFor', { wallet })}</Waiting>
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
      return isDisabled(state.problem) && state.purpose !== 'exit' ? (
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

/** It can be tapped, so that a tap gets a reply. */
function Waiting({ children }: { children: string }) {
  const t = useText()
  return (
    <Button tone="quiet" onClick={() => showMessage({ tone: 'info', text: t('signIn.pleaseWait') })}>
      {children}
    </Button>
  )
}
