import type { Ref } from 'react'
import styles from './TextToCopy.module.css'

type TextToCopyProps = {
  ref: Ref<HTMLTextAreaElement>
  label: string
  value: string
  /** Selects the text when the field gets the focus. */
  selected?: boolean
}

/** A text that can be selected and copied but not changed. */
export function TextToCopy({ ref, label, value, selected = false }: TextToCopyProps) {
  return (
    <textarea
      ref={ref}
      className={styles.field}
      aria-label={label}
      readOnly
      spellCheck={false}
      rows={Math.min(12, Math.max(3, value.split('\n').length))}
      value={value}
      onFocus={(event) => selected && event.currentTarget.select()}
    />
  )
}
