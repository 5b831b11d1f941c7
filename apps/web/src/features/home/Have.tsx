import { ChevronRight } from 'lucide-react'
import { Link } from 'react-router'
import { ageInDays, TotalValue } from '../wallet/index.ts'
import styles from './Have.module.css'
import type { Home } from './use-home.ts'

/** What the member has, in USDT, with a link to the wallet. */
export function Have({ home }: { home: Home | undefined }) {
  return (
    <Link to="/wallet" className={styles.glance}>
      <TotalValue
        total={home?.have.total}
        priceDays={home ? ageInDays(home.have.priceAt, home.at) : null}
        size="hero"
      />
      <ChevronRight className={styles.arrow} size={20} aria-hidden="true" />
    </Link>
  )
}
