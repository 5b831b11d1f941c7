import { Check, X } from 'lucide-react'
import type { ReactNode } from 'react'
import { useText } from '../i18n/index.ts'
import styles from './Steps.module.css'

export type Step = {
  readonly key: string
  readonly state: 'done' | 'current' | 'waiting' | 'failed'
  readonly title: string
  /** The time of the step, at the end of its line. */
  readonly at?: ReactNode
  readonly detail?: ReactNode
}

type StepsProps = {
  label: string
  steps: readonly Step[]
  /** False if the page announces more about the current step itself. Otherwise it would be announced twice. */
  announced?: boolean
}

/** A list of steps: done, current and still to come. Screen readers announce the current one, a failed one with why. */
export function Steps({ label, steps, announced = true }: StepsProps) {
  const t = useText()
  const words = {
    done: t('common.stepDone'),
    current: t('common.stepCurrent'),
    waiting: t('common.stepWaiting'),
    failed: t('common.stepFailed'),
  }
  const last = (wanted: Step['state']) => steps.filter(({ state }) => state === wanted).at(-1)
  const spoken = last('failed') ?? last('current') ?? last('done')
  return (
    <>
      <ol className={styles.steps} aria-label={label}>
        {steps.map(({ key, state, title, at, detail }, index) => (
          <li
            key={key}
            className={styles.step}
            data-state={state}
            aria-current={state === 'current' ? 'step' : undefined}
          >
            <span className={styles.dot} aria-hidden="true">
              {state === 'done' ? (
                <Check size={14} strokeWidth={3} />
              ) : state === 'failed' ? (
                <X size={14} strokeWidth={3} />
              ) : (
                index + 1
              )}
            </span>
            <div className={styles.words}>
              <p className={styles.title}>
                {title}
                <span className="visually-hidden">{` (${words[state]})`}</span>
              </p>
              {at && <p className={styles.at}>{at}</p>}
              {detail && <div className={styles.detail}>{detail}</div>}
            </div>
          </li>
        ))}
      </ol>
      <div className="visually-hidden" role="status">
        {announced && spoken && `${spoken.title} (${words[spoken.state]})`}
        {announced && spoken && spoken.state !== 'current' && spoken.detail && <> {spoken.detail}</>}
      </div>
    </>
  )
}
