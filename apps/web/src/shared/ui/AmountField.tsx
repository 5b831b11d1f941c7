import type { Asset } from '@lode/kernel'
import { type ReactNode, type Ref, useId } from 'react'
import styles from './AmountField.module.css'

type AmountFieldProps = {
  label: string
  symbol: Asset
  /** The text as typed. The caller parses it. */
  value: string
  onValue: (value: string) => void
  hint?: ReactNode
  /** The error, shown at the field. */
  error?: string | undefined
  /** A button that fills in the maximum. Omitted while the maximum is not known. */
  max?: { text: string; label: string; onMax: () => void } | undefined
  disabled?: boolean
  ref?: Ref<HTMLInputElement>
}

/** An input for an amount, in large type because it is the main input of its screen. */
export function AmountField({
  label,
  symbol,
  value,
  onValue,
  hint,
  error,
  max,
  disabled = false,
  ref,
}: AmountFieldProps) {
  const id = useId()
  return (
    <div className={styles.field}>
      <label className={styles.label} htmlFor={id}>
        {label}
      </label>
      <div className={styles.line} data-wrong={error ? '' : undefined}>
        <input
          ref={ref}
          id={id}
          className={styles.input}
          data-size={
            value.length <= 10 ? 'large' : value.length <= 13 ? 'medium' : value.length <= 18 ? 'small' : 'least'
          }
          inputMode="decimal"
          enterKeyHint="done"
          autoComplete="off"
          autoCapitalize="off"
          autoCorrect="off"
          spellCheck={false}
          placeholder="0"
          maxLength={60}
          disabled={disabled}
          value={value}
          onChange={(event) => onValue(event.currentTarget.value)}
          aria-invalid={error ? true : undefined}
          aria-describedby={`${id}-note`}
        />
        <span className={styles.symbol}>{symbol}</span>
        {max && (
          <button type="button" className={styles.max} aria-label={max.label} onClick={max.onMax}>
            <span>{max.text}</span>
          </button>
        )}
      </div>
      <p id={`${id}-note`} className={styles.note} data-wrong={error ? '' : undefined} aria-live="polite">
        {error ?? hint}
      </p>
    </div>
  )
}
