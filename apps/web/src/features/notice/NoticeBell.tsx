import { Bell } from 'lucide-react'
import { Link } from 'react-router'
import { useText } from '../../shared/i18n/index.ts'
import styles from './NoticeBell.module.css'
import { unreadText } from './unread-text.ts'
import { useNewestNotice } from './use-notices.ts'

/** The link to the notices, with the number of unread ones. */
export function NoticeBell() {
  const t = useText()
  const unread = useNewestNotice().data?.unread ?? 0
  const shown = unreadText(unread)
  return (
    <Link
      to="/setting/notice"
      className={styles.bell}
      aria-label={unread > 0 ? t('notice.bellUnread', { unread: shown }) : t('notice.bell')}
    >
      <Bell size={22} strokeWidth={1.75} aria-hidden="true" />
      {unread > 0 && (
        <span className={styles.count} aria-hidden="true">
          {shown}
        </span>
      )}
    </Link>
  )
}
