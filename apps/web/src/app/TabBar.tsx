import { ChevronsUp, Diamond, House, Network, Wallet } from 'lucide-react'
import { Link } from 'react-router'
import { useText } from '../shared/i18n/index.ts'
import { useSession } from '../shared/session/index.ts'
import styles from './TabBar.module.css'
import { type ViewName, views } from './views.ts'

/** The main sections, in display order. `exit`: an exit session sees it too. */
const tabs = [
  { view: 'home', text: 'shell.tabs.home', Icon: House, exit: false },
  { view: 'wallet', text: 'shell.tabs.wallet', Icon: Wallet, exit: true },
  { view: 'promotion', text: 'shell.tabs.promotion', Icon: ChevronsUp, exit: true },
  { view: 'pledge', text: 'shell.tabs.pledge', Icon: Diamond, exit: true },
  { view: 'teams', text: 'shell.tabs.teams', Icon: Network, exit: false },
] as const

/** `loading`: the tab that was tapped while its page still loads. */
export function TabBar({ active, loading }: { active: ViewName; loading: ViewName | null }) {
  const t = useText()
  const isExitSession = useSession(({ exit }) => exit)
  const offered = tabs.filter(({ exit }) => exit || !isExitSession)
  return (
    <nav className={styles.bar} aria-label={t('shell.tabs.label')}>
      {offered.map(({ view, text, Icon }) => {
        const current = ariaCurrentOf(view, active)
        return (
          <Link
            key={view}
            to={views[view].path}
            className={styles.tab}
            aria-current={current}
            aria-busy={view === loading}
          >
            <Icon size={22} strokeWidth={current ? 2.25 : 1.75} aria-hidden="true" />
            <span>{t(text)}</span>
          </Link>
        )
      })}
    </nav>
  )
}

/** The value of `aria-current`: `page` on the section's first page, `true` on a page below it. */
function ariaCurrentOf(view: ViewName, active: ViewName): 'page' | 'true' | undefined {
  if (view === active) return 'page'
  return views[active].path.startsWith(`${views[view].path}/`) ? 'true' : undefined
}
