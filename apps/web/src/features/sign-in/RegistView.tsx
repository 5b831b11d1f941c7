import { useEffect, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import type { Wallet } from '../../chain/index.ts'
import { useText } from '../../shared/i18n/index.ts'
import type { ViewProps } from '../../shared/routing/index.ts'
import { session, useSession } from '../../shared/session/index.ts'
import { Button, Card, Field, LanguageSelect, TopBar, View } from '../../shared/ui/index.ts'
import { Brand } from './Brand.tsx'
import { ConnectButton } from './ConnectButton.tsx'
import { inviteIn, tidyInvite } from './invite-text.ts'
import { PlanLink } from './PlanLink.tsx'
import { Progress } from './Progress.tsx'
import { pathKeeping } from './paths.ts'
import { SetupCode } from './SetupCode.tsx'
import styles from './sign-in.module.css'
import { useFlow } from './use-flow.ts'
import { useKeptFocus } from './use-kept-focus.ts'
import { useWallets } from './use-wallets.ts'
import { WalletList } from './WalletList.tsx'

export function RegistView({ query }: ViewProps) {
  const t = useText()
  const navigate = useNavigate()
  const wallets = useWallets()
  const { state, send } = useFlow()
  useKeptFocus(state.at)
  const signedIn = useSession(({ token }) => token !== null)
  const setupCode = useSession((current) => current.setupCode)
  const field = useRef<HTMLInputElement>(null)
  const [invite, setInvite] = useState(() => tidyInvite(query.invite ?? ''))
  const [looked, setLooked] = useState(invite !== '')
  /** The code that the server said nobody has; another one is not yet wrong. */
  const [unknown, setUnknown] = useState<string | null>(null)

  const toLogin = () => navigate(pathKeeping('/login', query))
  // Whoever is signed in has nothing to register. /login knows where they should be; until that page is loaded this one
  // stays drawn, and must not call the app back.
  const elsewhere = signedIn && setupCode === null && (state.at === 'choosing' || state.at === 'succeeded')
  const moved = useRef(false)
  useEffect(() => {
    if (!elsewhere || moved.current) return
    moved.current = true
    navigate(pathKeeping('/login', query), { replace: true })
  }, [elsewhere, navigate, query])

  // Fetched ahead, so that the question about the inviter is there when its turn comes.
  useEffect(() => {
    import('./InviterSheet.tsx').catch(() => {})
  }, [])

  const refusedInvite = state.at === 'choosing' ? state.inviteProblem : null
  useEffect(() => {
    if (refusedInvite === null) return
    setUnknown(field.current?.value ?? null)
    field.current?.focus()
  }, [refusedInvite])

  function choose(wallet: Wallet) {
    const code = inviteIn(invite)
    setLooked(true)
    if (code.ok) send({ type: 'wallet-chosen', wallet, invite: code.value })
    else field.current?.focus()
  }

  if (setupCode !== null) return <SetupCode code={setupCode} onDone={session.setupCodeSeen} />
  const startAgain = () => send({ type: 'another-wallet' })
  const brand = <Brand title={t('signIn.register')} text={t('signIn.registerText')} />
  if (state.at !== 'choosing') return <Progress brand={brand} state={state} send={send} onRegister={startAgain} />

  function inviteError(): string | undefined {
    if (looked && invite.trim() === '') return t('signIn.inviteMissing')
    if (looked && !inviteIn(invite).ok) return t('refusals.invite-format')
    return refusedInvite !== null && invite === unknown ? t(`refusals.${refusedInvite}`) : undefined
  }

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
          ref={field}
          label={t('signIn.inviteCode')}
          value={invite}
          onValue={(text) => {
            setInvite(text)
            setLooked(false)
          }}
          onBlur={() => {
            setInvite(tidyInvite(invite))
            setLooked(invite !== '')
          }}
          hint={t('signIn.inviteHint')}
          error={inviteError()}
          autoCapitalize="characters"
          maxLength={300}
        />
      </Card>
      <WalletList
        title={wallets.first ? t('signIn.orChooseWallet') : t('signIn.chooseWallet')}
        wallets={wallets.others}
        onChoose={choose}
      />
    </View>
  )
}
