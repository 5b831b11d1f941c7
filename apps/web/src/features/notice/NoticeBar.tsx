import { ChevronRight, Megaphone } from 'lucide-react'
import { Link } from 'react-router'
import { useLanguage, useText } from '../../shared/i18n/index.ts'
import { Skeleton } from '../../shared/ui/index.ts'
import styles from './NoticeBar.module.css'
import { noticeTitle } from './notice-text.ts'
import { useNewestNotice } from './use-notices.ts'

/** The newest notice on two lines at most. The place of one is always reserved, so that little moves when it has loaded. */
export function NoticeBar() {
  const t = useText()
  const language = useLanguage()
  const { data, error, isPaused } = useNewestNotice()
  const newest = data?.items[0]
  const title = newest && noticeTitle(t, newest, language)
  const words = title ?? (data ? t('notice.none') : error || isPaused ? t('notice.failed') : undefined)
  return (
    <Link
      to={newest ? `/setting/notice?id=${newest.id}` : '/setting/notice'}
      className={styles.bar}
      data-unread={newest && !newest.read ? '' : undefined}
    >
      <Megaphone size={18} aria-hidden="true" />
      {newest && !newest.read && <span className="visually-hidden">{t('notice.unread')}</span>}
      <span className={styles.title} title={title}>
        {words ?? <Skeleton>{t('notice.none')}</Skeleton>}
      </span>
      {words === undefined && <span className="visually-hidden">{t('shell.titles.notice')}</span>}
      <ChevronRight size={18} aria-hidden="true" />
    </Link>
  )
}
