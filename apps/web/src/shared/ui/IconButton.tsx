import type { ComponentProps, ReactNode } from 'react'
import styles from './IconButton.module.css'

type IconButtonProps = Omit<ComponentProps<'button'>, 'className' | 'aria-label' | 'children'> & {
  /** The action's name for screen readers. */
  label: string
  icon: ReactNode
}

export function IconButton({ label, icon, ...rest }: IconButtonProps) {
  return (
    <button type="button" {...rest} className={styles.button} aria-label={label}>
      {icon}
    </button>
  )
}
