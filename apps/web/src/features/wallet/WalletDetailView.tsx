import { type Asset, assets } from '@lode/kernel'
import { useRef } from 'react'
import { useNavigate } from 'react-router'
import { useText } from '../../shared/i18n/index.ts'
import { useBack, type ViewProps } from '../../shared/routing/index.ts'
import { useSession } from '../../shared/session/index.ts'
import { Button, OwnAmounts, RefreshButton, StateNote, TopBar, View } from '../../shared/ui/index.ts'
import { useAssets } from '../assets/index.ts'
import { openDeposit, ReportedDeposits } from '../deposit/index.ts'
import { AssetLog, type AssetLogHandle } from './AssetLog.tsx'
import { AssetSummary } from './AssetSummary.tsx'
import { HiddenNote } from './HiddenNote.tsx'
import styles from './WalletDetailView.module.css'

export function WalletDetailView({ query }: ViewProps) {
  const symbol = assets.find((asset) => asset === query.symbol)
  return symbol ? <AssetDetail symbol={symbol} /> : <UnknownSymbol />
}

function AssetDetail({ symbol }: { symbol: Asset }) {
  const t = useText()
  const isExitSession = useSession(({ exit }) => exit)
  const assetsQuery = useAssets()
  const log = useRef<AssetLogHandle>(null)
  const refresh = () => Promise.all([assetsQuery.refetch(), log.current?.refetch()])
  const navigate = useNavigate()
  const transferOut = (
    <Button tone={isExitSession ? 'primary' : 'quiet'} onClick={() => navigate(`/setting/transfer?symbol=${symbol}`)}>
      {t('wallet.transferOut')}
    </Button>
  )
  return (
    <View
      onRefresh={refresh}
      foot={
        isExitSession ? (
          transferOut
        ) : (
          <div className={styles.actions}>
            {transferOut}
            <Button onClick={() => openDeposit(symbol)}>{t('wallet.deposit')}</Button>
          </div>
        )
      }
      top={<TopBar title={symbol} onBack={useBack('/wallet')} end={<RefreshButton onRefresh={refresh} />} />}
    >
      <OwnAmounts>
        <HiddenNote />
        <AssetSummary symbol={symbol} assetsQuery={assetsQuery} />
        <ReportedDeposits symbol={symbol} />
        <AssetLog symbol={symbol} ref={log} />
      </OwnAmounts>
    </View>
  )
}

function UnknownSymbol() {
  const t = useText()
  const navigate = useNavigate()
  const back = useBack('/wallet')
  return (
    <View centered top={<TopBar title={t('shell.titles.walletDetail')} onBack={back} />}>
      <StateNote title={t('wallet.unknownSymbol')} text={t('wallet.unknownSymbolText')}>
        <Button tone="quiet" onClick={() => navigate('/wallet', { replace: true })}>
          {t('wallet.toWallet')}
        </Button>
      </StateNote>
    </View>
  )
}
