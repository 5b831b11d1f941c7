import { ArrowDownLeft, ArrowUpRight, CircleHelp, Diamond, UserPlus } from 'lucide-react'
import { Link } from 'react-router'
import { useText } from '../../shared/i18n/index.ts'
import { openDeposit } from '../deposit/index.ts'
import styles from './Shortcuts.module.css'

const shortcuts = [
  { to: '/setting/transfer', text: 'home.shortcuts.transfer', Icon: ArrowUpRight },
  { to: '/pledge', text: 'home.shortcuts.pledge', Icon: Diamond },
  { to: '/share', text: 'home.shortcuts.invite', Icon: UserPlus },
  { to: '/setting/help', text: 'home.shortcuts.help', Icon: CircleHelp },
] as const

/** Links to the most frequent actions. A deposit from here is USDT; an asset's own page deposits that asset. */
export function Shortcuts() {
  const t = useText()
  return (
    <nav className={styles.shortcuts} aria-label={t('home.shortcuts.label')}>
      <button type="button" className={styles.shortcut} onClick={() => openDeposit('USDT')}>
        <span className={styles.tile}>
          <ArrowDownLeft size={22} strokeWidth={1.75} aria-hidden="true" />
        </span>
        <span>{t('home.shortcuts.deposit')}</span>
      </button>
      {shortcuts.map(({ to, text, Icon }) => (
        <Link key={to} to={to} className={styles.shortcut}>
          <span className={styles.tile}>
            <Icon size={22} strokeWidth={1.75} aria-hidden="true" />
          </span>
          <span>{t(text)}</span>
        </Link>
      ))}
    </nav>
  )
}
