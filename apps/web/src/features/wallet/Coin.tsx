import type { Asset } from '@lode/kernel'
import { Bitcoin, DollarSign } from 'lucide-react'
import { Logo } from '../../shared/ui/index.ts'
import styles from './Coin.module.css'

/** The icon of an asset. Its name is always beside it. */
export function Coin({ symbol }: { symbol: Asset }) {
  return (
    <span className={styles.coin} data-symbol={symbol} aria-hidden="true">
      {symbol === 'USDT' && <DollarSign size={20} />}
      {symbol === 'BTN' && <Logo size={22} bare />}
      {symbol === 'BTC' && <Bitcoin size={20} />}
    </span>
  )
}
