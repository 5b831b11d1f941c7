import { ChevronDown } from 'lucide-react'
import styles from './Select.module.css'

type SelectProps<Value extends string> = {
  label: string
  value: Value
  options: readonly { value: Value; text: string; lang?: string }[]
  onValue: (value: Value) => void
}

/** The browser's native select: every phone and screen reader supports it, and it adds no code. */
export function Select<Value extends string>({ label, value, options, onValue }: SelectProps<Value>) {
  return (
    <div className={styles.pill}>
      <select
        className={styles.select}
        aria-label={label}
        value={value}
        onChange={(event) => {
          const chosen = options.find((option) => option.value === event.currentTarget.value)
          if (chosen) onValue(chosen.value)
        }}
      >
        {options.map((option) => (
          <option key={option.value} value={option.value} lang={option.lang}>
            {option.text}
          </option>
        ))}
      </select>
      <ChevronDown className={styles.arrow} size={16} aria-hidden="true" />
    </div>
  )
}
