import { formatMoment } from '../../shared/format/index.ts'
import { useLanguage, useText } from '../../shared/i18n/index.ts'
import styles from './DisabledNote.module.css'
import { useProfile } from './use-profile.ts'

/** Since when the account is disabled, and why, in the operators' own words and language. */
export function DisabledNote() {
  const t = useText()
  const language = useLanguage()
  const disabled = useProfile().data?.disabled
  if (!disabled) return null
  return (
    <div className={styles.note}>
      <p>{t('profile.disabledSince', { moment: formatMoment(disabled.since, language) })}</p>
      {disabled.reason !== null && <p dir="auto">{t('profile.disabledReason', { reason: disabled.reason })}</p>}
    </div>
  )
}
