import type { AllocationPart } from '@lode/wire'
import { classNames } from './class-names.ts'
import styles from './ShareBar.module.css'

/** A bar that shows into which parts a payment is divided. The list beside it has the same figures in words. */
export function ShareBar({ parts }: { parts: readonly { part: AllocationPart; basisPoints: number }[] }) {
  return (
    <div className={styles.bar} aria-hidden="true">
      {parts.map(
        ({ part, basisPoints }) =>
          basisPoints > 0 && (
            <span
              key={part}
              data-part={part}
              style={{ flexGrow: basisPoints }}
              className={classNames(styles.piece, styles.colour)}
            />
          ),
      )}
    </div>
  )
}

/** The color of a part in the bar, shown before its name. */
export function ShareSwatch({ part }: { part: AllocationPart }) {
  return <span className={classNames(styles.swatch, styles.colour)} data-part={part} aria-hidden="true" />
}
