import { errorText } from '../../shared/api/index.ts'
import { useText } from '../../shared/i18n/index.ts'
import { Button } from '../../shared/ui/index.ts'
import styles from './PartFailed.module.css'

type PartFailedProps = {
  title: string
  /** Null if the network is missing. */
  error: Error | null
  busy: boolean
  onRetry: () => unknown
}

/** Shown in place of a part of the page that could not be loaded. It is small, because the other parts are there. */
export function PartFailed({ title, error, busy, onRetry }: PartFailedProps) {
  const t = useText()
  return (
    <div className={styles.failed}>
      <div className={styles.words}>
        <h3 className={styles.title}>{title}</h3>
        <p className={styles.reason}>{error ? errorText(t, error) : t('errors.noResponse')}</p>
      </div>
      <div className={styles.retry}>
        <Button tone="quiet" busy={busy} onClick={() => onRetry()}>
          {t('common.retry')}
        </Button>
      </div>
    </div>
  )
}
