import { type ComponentProps, type ReactNode, useId } from 'react'
import { useText } from '../i18n/index.ts'
import styles from './Field.module.css'
import { useIsFormTried } from './form-tried.ts'

type FieldProps = Omit<ComponentProps<'input'>, 'className' | 'id' | 'onChange' | 'value'> & {
  label: string
  value: string
  onValue: (value: string) => void
  hint?: string | undefined
  /** The error, shown at the field. */
  error?: string | undefined
  /** Drawn inside the field, at its end. */
  end?: ReactNode
}

export function Field({ label, value, onValue, hint, error: wrong, end, ...rest }: FieldProps) {
  const id = useId()
  const t = useText()
  const isMissing = useIsFormTried() && value === ''
  const error = wrong ?? (isMissing ? [t('common.fillIn'), hint].filter(Boolean).join(' · ') : undefined)
  return (
    <div className={styles.field}>
      <label className={styles.label} htmlFor={id}>
        {label}
      </label>
      <div className={styles.box} data-end={end ? '' : undefined}>
        <input
          autoComplete="off"
          autoCapitalize="off"
          autoCorrect="off"
          spellCheck={false}
          {...rest}
          id={id}
          className={styles.input}
          value={value}
          onChange={(event) => onValue(event.currentTarget.value)}
          aria-invalid={error ? true : undefined}
          aria-describedby={`${id}-note`}
        />
        {end}
      </div>
      <p id={`${id}-note`} className={styles.note} data-wrong={error ? '' : undefined} aria-live="polite">
        {error ?? hint}
      </p>
    </div>
  )
}
