import { formatMoment } from '../format/index.ts'
import { useLanguage, useText } from '../i18n/index.ts'
import styles from './OldNote.module.css'

/** Says that the shown data could not be refreshed. */
export function OldNote({ since }: { since: number | null }) {
  const t = useText()
  const language = useLanguage()
  return (
    <p className={styles.old} role="status">
      {since !== null && t('wallet.old', { time: formatMoment(new Date(since).toISOString(), language) })}
    </p>
  )
}
