import { type ComponentProps, useId } from 'react'
import styles from './Field.module.css'

type FieldProps = Omit<ComponentProps<'input'>, 'className' | 'id' | 'onChange' | 'value'> & {
  label: string
  value: string
  onValue: (value: string) => void
  hint?: string | undefined
  /** What is wrong, said at the field itself. */
  error?: string | undefined
}

export function Field({ label, value, onValue, hint, error, ...rest }: FieldProps) {
  const id = useId()
  return (
    <div className={styles.field}>
      <label className={styles.label} htmlFor={id}>
        {label}
      </label>
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
      <p id={`${id}-note`} className={styles.note} data-wrong={error ? '' : undefined} aria-live="polite">
        {error ?? hint}
      </p>
    </div>
  )
}
