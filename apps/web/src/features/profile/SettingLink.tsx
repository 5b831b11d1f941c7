import { Link } from 'react-router'
import { useText } from '../../shared/i18n/index.ts'
import { useSession } from '../../shared/session/index.ts'
import { Avatar } from '../../shared/ui/index.ts'
import styles from './SettingLink.module.css'

/** The link to the settings, drawn as the member's avatar. */
export function SettingLink() {
  const t = useText()
  const account = useSession((session) => session.account) ?? ''
  return (
    <Link to="/setting" className={styles.avatar} aria-label={t('navigation.openSetting')}>
      <Avatar account={account} size={32} />
    </Link>
  )
}
