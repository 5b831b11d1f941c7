import { useText } from '../../shared/i18n/index.ts'
import styles from './OldPrices.module.css'

/** Says how old the prices are. Draws nothing if `days` is null. */
export function OldPrices({ days }: { days: number | null }) {
  const t = useText()
  if (days === null) return null
  return <p className={styles.old}>{t('wallet.pricesOld', { count: days })}</p>
}
