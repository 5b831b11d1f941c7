import { ChevronRight, CircleAlert } from 'lucide-react'
import { Link } from 'react-router'
import { useText } from '../../shared/i18n/index.ts'
import styles from './AnnouncementBanner.module.css'
import { usePoolFigures } from './use-pool-figures.ts'

/** Shown while something is announced that the administrator of the vault can do soon. */
export function AnnouncementBanner() {
  const t = useText()
  const { data } = usePoolFigures()
  if (!data || data.announcements === 0) return null
  return (
    <Link to="/setting/dao?show=vault" className={styles.banner}>
      <CircleAlert size={18} aria-hidden="true" />
      <span className={styles.words}>{t('home.announced', { count: data.announcements })}</span>
      <ChevronRight size={18} aria-hidden="true" />
    </Link>
  )
}
