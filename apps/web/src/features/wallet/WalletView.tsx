import { assets } from '@lode/kernel'
import { ChevronRight, LogOut, ReceiptText } from 'lucide-react'
import { Suspense } from 'react'
import { Link, useNavigate } from 'react-router'
import { useText } from '../../shared/i18n/index.ts'
import { useSession } from '../../shared/session/index.ts'
import {
  Button,
  Columns,
  failedToLoad,
  Loaded,
  OwnAmounts,
  RefreshButton,
  StaleNote,
  TopBar,
  View,
} from '../../shared/ui/index.ts'
import { useAssets } from '../assets/index.ts'
import { DisabledNote, SettingLink } from '../profile/index.ts'
import { AssetCard } from './AssetCard.tsx'
import { HiddenNote } from './HiddenNote.tsx'
import { PricesCard } from './PricesCard.tsx'
import { oldPriceDays } from './price-age.ts'
import { TotalValue } from './TotalValue.tsx'
import styles from './WalletView.module.css'

export function WalletView() {
  const t = useText()
  const navigate = useNavigate()
  const isExitSession = useSession(({ exit }) => exit)
  const query = useAssets()
  const { isRefetchError, dataUpdatedAt, refetch } = query
  const missing = failedToLoad(query)
  return (
    <View
      wide
      centered={missing}
      onRefresh={refetch}
      foot={
        isExitSession &&
        !missing && <Button onClick={() => navigate('/setting/transfer')}>{t('wallet.transferOut')}</Button>
      }
      top={
        <TopBar title={t('shell.titles.wallet')} start={<RefreshButton onRefresh={refetch} />} end={<SettingLink />} />
      }
    >
      {isExitSession && (
        <p className={styles.leaving}>
          <LogOut size={18} aria-hidden="true" />
          {t('wallet.exitMode')}
        </p>
      )}
      <Suspense>{isExitSession && <DisabledNote />}</Suspense>
      <Loaded query={query} failed={t('wallet.failed')} offline={t('wallet.offlineText')}>
        {(data) => (
          <Columns
            main={
              <OwnAmounts>
                <HiddenNote />
                <div className={styles.total}>
                  <TotalValue total={data?.total} priceDays={data ? oldPriceDays(data) : null} size="hero" />
                  <StaleNote since={isRefetchError ? dataUpdatedAt : null} />
                </div>
                {assets.map((symbol) => (
                  <AssetCard key={symbol} symbol={symbol} item={data?.items.find((item) => item.symbol === symbol)} />
                ))}
              </OwnAmounts>
            }
            side={
              <>
                <Link to="/wallet/statement" className={styles.statement}>
                  <ReceiptText size={20} aria-hidden="true" />
                  <span>{t('statement.link')}</span>
                  <ChevronRight size={18} aria-hidden="true" />
                </Link>
                <PricesCard items={data?.items} />
              </>
            }
          />
        )}
      </Loaded>
    </View>
  )
}
