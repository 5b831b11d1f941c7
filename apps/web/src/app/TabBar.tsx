import { House, Wallet } from 'lucide-react'
import { Link } from 'react-router'
import { useText } from '../shared/i18n/index.ts'
import { useSession } from '../shared/session/index.ts'
import styles from './TabBar.module.css'
import { type ViewName, views } from './views.ts'

/** The main sections, in their order. */
const tabs = [
  { view: 'home', text: 'shell.tabs.home', Icon: House, exit: false },
  { view: 'wallet', text: 'shell.tabs.wallet', Icon: Wallet, exit: true },
] as const

export function TabBar({ active }: { active: ViewName }) {
  const t = useText()
  const leaving = useSession(({ exit }) => exit)
  const offered = tabs.filter(({ exit }) => exit || !leaving)
  return (
    <nav className={styles.bar} aria-label={t('shell.tabs.label')}>
      {offered.map(({ view, text, Icon }) => (
        <Link
          key={view}
          to={views[view].path}
          className={styles.tab}
          aria-current={view === active ? 'page' : undefined}
        >
          <Icon size={22} strokeWidth={view === active ? 2.25 : 1.75} aria-hidden="true" />
          <span>{t(text)}</span>
        </Link>
      ))}
    </nav>
  )
}
