import type { Asset } from '@lode/kernel'
import { formatWholeAmount } from '../../shared/format/index.ts'
import { useText } from '../../shared/i18n/index.ts'
import { useAssets } from '../assets/index.ts'
import { useProfile } from '../profile/index.ts'
import styles from './deposit.module.css'

/** How much of this asset the member's level allows to take out, so that nobody learns it after paying in. */
export function TakeOutLimit({ symbol }: { symbol: Asset }) {
  const t = useText()
  const { data: assets } = useAssets()
  const { data: profile } = useProfile()
  const quota = assets?.items.find((one) => one.symbol === symbol)?.quota
  if (!quota || !profile) return null
  return (
    <p className={styles.small}>
      {t('deposit.takeOut', { level: profile.level, amount: formatWholeAmount(quota.total, symbol) })}
    </p>
  )
}
