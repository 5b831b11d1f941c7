import { ChevronRight } from 'lucide-react'
import { Link } from 'react-router'
import { useText } from '../../shared/i18n/index.ts'
import styles from './BalanceGlance.module.css'
import { TotalValue } from './TotalValue.tsx'
import { useAssets } from './use-assets.ts'

/** The total value for other screens, with a link to the wallet. */
export function BalanceGlance() {
  const t = useText()
  const { data, error } = useAssets()
  return (
    <Link to="/wallet" className={styles.glance}>
      {data || !error ? (
        <TotalValue assets={data} size="hero" />
      ) : (
        <div>
          <h2 className={styles.label}>{t('wallet.total')}</h2>
          <p>{t('wallet.failed')}</p>
        </div>
      )}
      <ChevronRight className={styles.arrow} size={20} aria-hidden="true" />
    </Link>
  )
}
