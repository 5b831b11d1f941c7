import { Bell, Settings } from 'lucide-react'
import { Link } from 'react-router'
import { unreadText, useNewestNotice } from '../features/notice/index.ts'
import { useProfile } from '../features/profile/index.ts'
import { useText } from '../shared/i18n/index.ts'
import { useSession } from '../shared/session/index.ts'
import { Address, Logo, Pill } from '../shared/ui/index.ts'
import styles from './SideBar.module.css'
import { ariaCurrentOf, useSections } from './sections.ts'
import { type ViewName, views } from './views.ts'

/** The navigation at the side of a wide window. `loading`: the view that was opened while it still loads. */
export function SideBar({ active, loading }: { active: ViewName; loading: ViewName | null }) {
  const t = useText()
  const account = useSession((session) => session.account) ?? ''
  const { data: profile } = useProfile()
  const unread = useNewestNotice().data?.unread ?? 0
  return (
    <div className={styles.bar}>
      <nav className={styles.links} aria-label={t('navigation.label')}>
        <div className={styles.head}>
          <Logo size={32} bare />
          <div>
            <p className={styles.name}>{t('common.appName')}</p>
            <p className={styles.member}>
              <Address value={account} />
              {profile && <Pill tone="lode">L{profile.level}</Pill>}
            </p>
          </div>
        </div>
        {useSections(active).map(({ view, name, path, current, Icon }) => (
          <Link key={view} to={path} className={styles.link} aria-current={current} aria-busy={view === loading}>
            <Icon size={20} strokeWidth={current ? 2.25 : 1.75} aria-hidden="true" />
            {name}
          </Link>
        ))}
      </nav>
      <nav className={styles.links} aria-label={t('navigation.more')}>
        <Link to={views.notice.path} className={styles.link} aria-current={ariaCurrentOf('notice', active)}>
          <Bell size={20} strokeWidth={1.75} aria-hidden="true" />
          {t('shell.titles.notice')}
          {unread > 0 && (
            <span className={styles.count}>
              <span aria-hidden="true">{unreadText(unread)}</span>
              <span className="visually-hidden">{t('notice.unreadCount', { unread: unreadText(unread) })}</span>
            </span>
          )}
        </Link>
        <Link
          to={views.setting.path}
          className={styles.link}
          // Notices are below the settings, and have a link of their own here.
          aria-current={active === 'notice' ? undefined : ariaCurrentOf('setting', active)}
        >
          <Settings size={20} strokeWidth={1.75} aria-hidden="true" />
          {t('shell.titles.setting')}
        </Link>
      </nav>
    </div>
  )
}
