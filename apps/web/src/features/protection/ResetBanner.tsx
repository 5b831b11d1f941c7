import { ShieldAlert } from 'lucide-react'
import { Link } from 'react-router'
import { useText } from '../../shared/i18n/index.ts'
import styles from './protection.module.css'
import { useProtection, useRemaining } from './use-protection.ts'

/**
 * Shown on every screen while a reset waits, so that a member who did not ask for it can notice it within three days.
 */
export function ResetBanner() {
  const t = useText()
  const remaining = useRemaining()
  const { protection, now } = useProtection()
  const reset = protection?.fundPassword.reset
  if (!reset) return null
  return (
    <section className={styles.banner} aria-label={t('protection.password.waiting')}>
      <ShieldAlert size={18} aria-hidden="true" />
      <p>{t('security.banner.text', { time: remaining(reset.endsAt, now) })}</p>
      <Link to="/setting">{t('security.banner.action')}</Link>
    </section>
  )
}
