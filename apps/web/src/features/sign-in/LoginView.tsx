import { useNavigate } from 'react-router'
import type { Wallet } from '../../chain/index.ts'
import { useText } from '../../shared/i18n/index.ts'
import type { ViewProps } from '../../shared/routing/index.ts'
import { Button, LanguageSelect, Note, TopBar, View } from '../../shared/ui/index.ts'
import { Brand } from './Brand.tsx'
import { ConnectButton } from './ConnectButton.tsx'
import { PlanLink } from './PlanLink.tsx'
import { SignInProgress } from './SignInProgress.tsx'
import styles from './sign-in.module.css'
import { buildSignInPath } from './sign-in-path.ts'
import { usePageFocus } from './use-page-focus.ts'
import { useSignInFlow } from './use-sign-in-flow.ts'
import { useWallets } from './use-wallets.ts'
import { WalletList } from './WalletList.tsx'

export function LoginView({ query }: ViewProps) {
  const t = useText()
  const navigate = useNavigate()
  const wallets = useWallets()
  const { state, send } = useSignInFlow()
  usePageFocus(state.at)
  // Only the end of a session leads here with a page to return to.
  const hasExpired = query.redirect !== undefined
  const toRegister = () => navigate(buildSignInPath('/regist', query))
  const choose = (wallet: Wallet) => send({ type: 'wallet-chosen', wallet, invite: null })

  if (state.at !== 'choosing')
    return <SignInProgress brand={<Brand />} state={state} send={send} onRegister={toRegister} />
  return (
    <View
      top={<TopBar start={<PlanLink />} end={<LanguageSelect />} />}
      foot={
        <>
          <div role="status" className={styles.ended}>
            {hasExpired && <Note tone="lode">{t('refusals.session-expired')}</Note>}
          </div>
          <p className={styles.preview}>
            {t('signIn.walletPreview')}
            <br />
            {t('signIn.means.login')}
          </p>
          <ConnectButton wallets={wallets} onChoose={choose} />
          <Button tone="plain" onClick={toRegister}>
            {t('signIn.toRegister')}
          </Button>
        </>
      }
    >
      <Brand />
      <WalletList
        title={wallets.first ? t('signIn.otherWallets') : t('signIn.chooseWallet')}
        wallets={wallets.others}
        onChoose={choose}
      />
    </View>
  )
}
