import type { ComponentProps, ReactNode } from 'react'
import styles from './Button.module.css'
import { classNames } from './class-names.ts'

type ButtonProps = Omit<ComponentProps<'button'>, 'className'> & {
  /** At most one `primary` a screen. `plain` is text only. */
  tone?: 'primary' | 'quiet' | 'danger' | 'plain'
  /** True while the action runs. The button stays visible and cannot be pressed again. */
  busy?: boolean
  icon?: ReactNode
}

export function Button({ tone = 'primary', busy = false, icon, children, disabled, ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      className={classNames(styles.button, styles[tone])}
      disabled={disabled || busy}
      aria-busy={busy || undefined}
    >
      {busy ? <span className={styles.spinner} aria-hidden="true" /> : icon}
      <span>{children}</span>
    </button>
  )
}
