import { useEffect, useRef } from 'react'
import { useNavigate } from 'react-router'
import type { Wallet } from '../../chain/index.ts'
import { loadMemberTexts, useText } from '../../shared/i18n/index.ts'
import type { ViewProps } from '../../shared/routing/index.ts'
import { session, useSession } from '../../shared/session/index.ts'
import { Button, Card, Field, LanguageSelect, TopBar, View } from '../../shared/ui/index.ts'
import { Brand } from './Brand.tsx'
import { ConnectButton } from './ConnectButton.tsx'
import { PlanLink } from './PlanLink.tsx'
import { SetupCode } from './SetupCode.tsx'
import { SignInProgress } from './SignInProgress.tsx'
import styles from './sign-in.module.css'
import { buildSignInPath } from './sign-in-path.ts'
import { useInviteField } from './use-invite-field.ts'
import { usePageFocus } from './use-page-focus.ts'
import { useSignInFlow } from './use-sign-in-flow.ts'
import { useWallets } from './use-wallets.ts'
import { WalletList } from './WalletList.tsx'

export function RegistView({ query }: ViewProps) {
  const t = useText()
  const navigate = useNavigate()
  const wallets = useWallets()
  const { state, send } = useSignInFlow()
  usePageFocus(state.at)
  const setupCode = useSession((current) => current.setupCode)
  const invite = useInviteField(query.invite ?? '', state.at === 'choosing' ? state.inviteProblem : null)
  useLeaveOnceSignedIn(setupCode === null && (state.at === 'choosing' || state.at === 'succeeded'), query)
  const toLogin = () => navigate(buildSignInPath('/login', query))

  // Loaded in advance, so that the question about the inviter opens without delay.
  useEffect(() => {
    Promise.all([import('./InviterSheet.tsx'), loadMemberTexts()]).catch(() => {})
  }, [])

  function choose(wallet: Wallet) {
    const code = invite.read()
    if (code !== null) send({ type: 'wallet-chosen', wallet, invite: code })
  }

  if (setupCode !== null) return <SetupCode code={setupCode} onDone={session.setupCodeSeen} />
  const startAgain = () => send({ type: 'another-wallet' })
  const brand = (
    <Brand title={t('signIn.register')} text={t(query.invite ? 'signIn.registerFilled' : 'signIn.registerText')} />
  )
  if (state.at !== 'choosing') return <SignInProgress brand={brand} state={state} send={send} onRegister={startAgain} />

  return (
    <View
      top={<TopBar onBack={toLogin} start={<PlanLink />} end={<LanguageSelect />} />}
      foot={
        <>
          <p className={styles.preview}>{t('signIn.walletPreview')}</p>
          <ConnectButton wallets={wallets} onChoose={choose} />
          <Button tone="plain" onClick={toLogin}>
            {t('signIn.toLogin')}
          </Button>
        </>
      }
    >
      {brand}
      <Card>
        <Field
          ref={invite.input}
          label={t('signIn.inviteCode')}
          value={invite.text}
          onValue={invite.write}
          onBlur={invite.tidy}
          hint={t('signIn.inviteHint')}
          error={invite.error}
          autoCapitalize="characters"
          maxLength={300}
        />
      </Card>
      <WalletList
        title={wallets.first ? t('signIn.otherWallets') : t('signIn.chooseWallet')}
        wallets={wallets.others}
        onChoose={choose}
      />
    </View>
  )
}

/**
 * Goes to /login if the member is already signed in: there is nothing to register, and at /login the guard decides
 * where to go next. This page stays mounted until the next one has loaded, and must not navigate again.
 */
function useLeaveOnceSignedIn(mayLeave: boolean, query: ViewProps['query']): void {
  const navigate = useNavigate()
  const isSignedIn = useSession(({ token }) => token !== null)
  const hasLeft = useRef(false)
  useEffect(() => {
    if (!isSignedIn || !mayLeave || hasLeft.current) return
    hasLeft.current = true
    navigate(buildSignInPath('/login', query), { replace: true })
  }, [isSignedIn, mayLeave, navigate, query])
}
