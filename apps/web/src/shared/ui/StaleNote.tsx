import { formatMoment } from '../format/index.ts'
import { useLanguage, useText } from '../i18n/index.ts'
import styles from './StaleNote.module.css'

/** Says that the shown data could not be refreshed. `since`: when it was last read; null shows nothing. */
export function StaleNote({ since }: { since: number | null }) {
  const t = useText()
  const language = useLanguage()
  return (
    <p className={styles.old} role="status">
      {since !== null && t('wallet.old', { time: formatMoment(new Date(since).toISOString(), language) })}
    </p>
  )
}
