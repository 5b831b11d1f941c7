import { ChevronRight } from 'lucide-react'
import { Link } from 'react-router'
import { isZero } from '../../shared/format/index.ts'
import { useText } from '../../shared/i18n/index.ts'
import { ageInDays, TotalValue } from '../wallet/index.ts'
import { EyeButton } from './EyeButton.tsx'
import styles from './Have.module.css'
import type { Home } from './use-home.ts'

/** What the member has, in USDT, with a link to the wallet and the button that hides amounts. */
export function Have({ home }: { home: Home | undefined }) {
  const t = useText()
  const isMoreWaiting = home?.collect.some(({ amount }) => !isZero(amount))
  return (
    <div className={styles.have}>
      <Link to="/wallet" className={styles.glance}>
        <TotalValue
          total={home?.have.total}
          priceDays={home ? ageInDays(home.have.priceAt, home.at) : null}
          size="hero"
          excludes={isMoreWaiting ? t('home.collect.notInTotal') : undefined}
          after={<ChevronRight className={styles.arrow} size={20} aria-hidden="true" />}
        />
      </Link>
      <EyeButton />
    </div>
  )
}
