import type { ReactNode } from 'react'
import { Pair } from '../ui/index.ts'
import styles from './RecordLine.module.css'

type RecordLineProps = {
  /** The color of the sign. `void`: the record had no effect, so its amount is crossed out. */
  tone: 'jade' | 'sky' | 'lode' | 'neutral' | 'void'
  sign?: ReactNode
  name: ReactNode
  amount: ReactNode
  /** True if the amount has the color of the sign. */
  colored?: boolean
  at: ReactNode
  status: ReactNode
  /** Opens the details of the record. The whole line can then be pressed. */
  onOpen?: () => void
  /** Further details, one line each. */
  children?: ReactNode
}

/** One record in a list of amounts: a round sign, name and amount, time and state. */
export function RecordLine({
  tone,
  sign,
  name,
  amount,
  colored = false,
  at,
  status,
  onOpen,
  children,
}: RecordLineProps) {
  return (
    <li className={styles.line} data-tone={tone}>
      <span className={styles.sign} aria-hidden="true">
        {sign}
      </span>
      <div className={styles.facts}>
        <Pair>
          <p className={styles.name}>
            {onOpen ? (
              <button type="button" className={styles.open} onClick={onOpen}>
                {name}
              </button>
            ) : (
              name
            )}
          </p>
          <p className={styles.amount} data-colored={colored ? '' : undefined}>
            {amount}
          </p>
        </Pair>
        <Pair>
          <p className={styles.at}>{at}</p>
          {status}
        </Pair>
        {children}
      </div>
    </li>
  )
}
