import { useText } from '../../shared/i18n/index.ts'
import { Button, hideAmounts, useHidesAmounts } from '../../shared/ui/index.ts'
import styles from './HiddenNote.module.css'

/** Says that amounts are hidden, and shows them again. Draws nothing while they are shown. */
export function HiddenNote() {
  const t = useText()
  if (!useHidesAmounts()) return null
  return (
    <div className={styles.note}>
      <p>{t('wallet.hidden.note')}</p>
      <div>
        <Button tone="plain" onClick={() => hideAmounts(false)}>
          {t('wallet.hidden.show')}
        </Button>
      </div>
    </div>
  )
}
