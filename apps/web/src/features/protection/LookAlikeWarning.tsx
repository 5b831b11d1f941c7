import { TriangleAlert } from 'lucide-react'
import { useText } from '../../shared/i18n/index.ts'
import { Address } from '../../shared/ui/index.ts'
import styles from './protection.module.css'

type LookAlikeWarningProps = {
  /** The address that was used before. */
  known: string
  given: string
  compared: boolean
  onCompared: (compared: boolean) => void
}

/** Warns that an address begins and ends like one used before. The member must say that both were compared. */
export function LookAlikeWarning({ known, given, compared, onCompared }: LookAlikeWarningProps) {
  const t = useText()
  return (
    <div className={styles.warning} role="alert">
      <p className={styles.warningText}>
        <TriangleAlert size={20} aria-hidden="true" />
        {t('security.address.lookAlike')}
      </p>
      <dl className={styles.compared}>
        <dt>{t('security.address.lookAlikeKnown')}</dt>
        <dd>
          <Address value={known} full />
        </dd>
        <dt>{t('security.address.lookAlikeNew')}</dt>
        <dd>
          <Address value={given} full />
        </dd>
      </dl>
      <label className={styles.check}>
        <input type="checkbox" checked={compared} onChange={(event) => onCompared(event.currentTarget.checked)} />
        <span>{t('security.address.lookAlikeConfirm')}</span>
      </label>
    </div>
  )
}
