import { Link } from 'react-router'
import { useText } from '../shared/i18n/index.ts'
import { useSections } from './sections.ts'
import styles from './TabBar.module.css'
import type { ViewName } from './views.ts'

/** The main sections below the page, on a phone. `loading`: the tab that was tapped while its page still loads. */
export function TabBar({ active, loading }: { active: ViewName; loading: ViewName | null }) {
  const t = useText()
  return (
    <nav className={styles.bar} aria-label={t('navigation.label')}>
      {useSections(active).map(({ view, name, path, current, Icon }) => (
        <Link key={view} to={path} className={styles.tab} aria-current={current} aria-busy={view === loading}>
          <Icon size={22} strokeWidth={current ? 2.25 : 1.75} aria-hidden="true" />
          <span>{name}</span>
        </Link>
      ))}
    </nav>
  )
}
