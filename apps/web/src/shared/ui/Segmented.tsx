import { useId } from 'react'
import styles from './Segmented.module.css'

type SegmentedProps<Value extends string> = {
  label: string
  /** Hides the label where the options explain themselves. */
  labelHidden?: boolean
  value: Value
  options: readonly { value: Value; text: string; below?: string; lang?: string }[]
  onValue: (value: Value) => void
}

/** A choice of a few options, all visible. It uses radio buttons, which arrow keys and screen readers support. */
export function Segmented<Value extends string>({
  label,
  labelHidden = false,
  value,
  options,
  onValue,
}: SegmentedProps<Value>) {
  const name = useId()
  return (
    <fieldset className={styles.group}>
      <legend className={labelHidden ? 'visually-hidden' : styles.legend}>{label}</legend>
      <div className={styles.options}>
        {options.map((option) => (
          <label
            key={option.value}
            className={styles.option}
            lang={option.lang}
            data-checked={option.value === value ? '' : undefined}
            data-with-below={option.below ? '' : undefined}
          >
            <input
              type="radio"
              className={styles.radio}
              name={name}
              checked={option.value === value}
              onChange={() => onValue(option.value)}
            />
            <span>
              {option.text}
              {option.below && <span className={styles.below}> {option.below}</span>}
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  )
}
