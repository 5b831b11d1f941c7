import { Link } from 'react-router'
import { useText } from '../../shared/i18n/index.ts'
import { useSession } from '../../shared/session/index.ts'
import { Avatar } from '../../shared/ui/index.ts'
import styles from './SettingLink.module.css'

/** The way to the settings: the member's own picture. */
export function SettingLink() {
  const t = useText()
  const account = useSession((session) => session.account) ?? ''
  return (
    <Link to="/setting" className={styles.avatar} aria-label={t('shell.openSetting')}>
      <Avatar account={account} size={32} />
    </Link>
  )
}
