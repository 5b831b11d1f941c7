import { FileDown } from 'lucide-react'
import { failureText } from '../../shared/api/index.ts'
import { useText } from '../../shared/i18n/index.ts'
import { Button, HandedFileNote } from '../../shared/ui/index.ts'
import styles from './Csv.module.css'
import type { useCsv } from './use-csv.ts'

type CsvProps = { csv: ReturnType<typeof useCsv> }

export function CsvButton({ csv, disabled }: CsvProps & { disabled: boolean }) {
  const t = useText()
  return (
    <button
      type="button"
      className={styles.button}
      aria-label={t('wallet.csv.saveLabel')}
      disabled={disabled || csv.state.at === 'reading'}
      onClick={csv.start}
    >
      <FileDown size={18} aria-hidden="true" />
      {t('wallet.csv.save')}
    </button>
  )
}

/** The progress of reading the log, with a button to cancel it; afterwards the outcome. */
export function CsvBar({ csv: { state, handed, cancel } }: CsvProps) {
  const t = useText()
  const isMade = state.at === 'made'
  return (
    <>
      <HandedFileNote
        handed={isMade ? handed : null}
        before={isMade ? `${t('wallet.csv.made', { count: state.lines })} ` : ''}
      />
      <div className={styles.bar} role="status">
        {state.at === 'reading' && (
          <>
            <span>{t('wallet.csv.reading', { count: state.lines })}</span>
            <span className={styles.cancel}>
              <Button tone="plain" onClick={cancel}>
                {t('common.cancel')}
              </Button>
            </span>
          </>
        )}
        {state.at === 'failed' && (
          <span className={styles.failed}>{t('wallet.csv.failed', { reason: failureText(t, state.failure) })}</span>
        )}
      </div>
    </>
  )
}
