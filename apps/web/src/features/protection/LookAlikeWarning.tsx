import { TriangleAlert } from 'lucide-react'
import { useText } from '../../shared/i18n/index.ts'
import { useIsFormTried } from '../../shared/ui/index.ts'
import styles from './protection.module.css'
import { splitByDifference } from './split-by-difference.ts'

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
  const isMissing = useIsFormTried() && !compared
  return (
    <div className={styles.warning} role="alert">
      <p className={styles.warningText}>
        <TriangleAlert size={20} aria-hidden="true" />
        {t('security.address.lookAlike')}
      </p>
      <dl className={styles.compared}>
        <dt>{t('security.address.lookAlikeKnown')}</dt>
        <dd>
          <ComparedAddress value={known} other={given} />
        </dd>
        <dt>{t('security.address.lookAlikeNew')}</dt>
        <dd>
          <ComparedAddress value={given} other={known} />
        </dd>
      </dl>
      <label className={styles.check}>
        <input
          type="checkbox"
          checked={compared}
          onChange={(event) => onCompared(event.currentTarget.checked)}
          aria-invalid={isMissing ? true : undefined}
        />
        <span>{t('security.address.lookAlikeConfirm')}</span>
      </label>
      {isMissing && <p className={styles.missing}>{t('security.address.lookAlikeMissing')}</p>}
    </div>
  )
}

const HALF = 21

/** A full address in two halves. The digits that differ from the other address are marked: its ends are the same. */
function ComparedAddress({ value, other }: { value: string; other: string }) {
  return (
    <span className={styles.comparedAddress}>
      {[value.slice(0, HALF), value.slice(HALF)].map((half, index) => (
        <span key={half}>
          {splitByDifference(half, other.slice(index * HALF)).map(({ at, text, differs }) =>
            differs ? <mark key={at}>{text}</mark> : <span key={at}>{text}</span>,
          )}
        </span>
      ))}
    </span>
  )
}
