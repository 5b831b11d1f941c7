import { useNavigate } from 'react-router'
import type { Wallet } from '../../chain/index.ts'
import { useText } from '../../shared/i18n/index.ts'
import type { ViewProps } from '../../shared/routing/index.ts'
import { Button, LanguageSelect, TopBar, View } from '../../shared/ui/index.ts'
import { Brand } from './Brand.tsx'
import { ConnectButton } from './ConnectButton.tsx'
import { PlanLink } from './PlanLink.tsx'
import { Progress } from './Progress.tsx'
import { pathKeeping } from './paths.ts'
import styles from './sign-in.module.css'
import { useFlow } from './use-flow.ts'
import { useKeptFocus } from './use-kept-focus.ts'
import { useWallets } from './use-wallets.ts'
import { WalletList } from './WalletList.tsx'

export function LoginView({ query }: ViewProps) {
  const t = useText()
  const navigate = useNavigate()
  const wallets = useWallets()
  const { state, send } = useFlow()
  useKeptFocus(state.at)
  const toRegister = () => navigate(pathKeeping('/regist', query))
  const choose = (wallet: Wallet) => send({ type: 'wallet-chosen', wallet, invite: null })

  if (state.at !== 'choosing') return <Progress brand={<Brand />} state={state} send={send} onRegister={toRegister} />
  return (
    <View
      top={<TopBar start={<PlanLink />} end={<LanguageSelect />} />}
      foot={
        <>
          <p className={styles.preview}>{t('signIn.walletPreview')}</p>
          <ConnectButton wallets={wallets} onChoose={choose} />
          <Button tone="plain" onClick={toRegister}>
            {t('signIn.toRegister')}
          </Button>
        </>
      }
    >
      <Brand />
      <WalletList
        title={wallets.first ? t('signIn.orChooseWallet') : t('signIn.chooseWallet')}
        wallets={wallets.others}
        onChoose={choose}
      />
    </View>
  )
}
