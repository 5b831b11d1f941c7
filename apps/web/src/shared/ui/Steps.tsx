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

/** A list of steps: done, current and still to come. Screen readers announce the current one. */
export function Steps({ label, steps }: { label: string; steps: readonly Step[] }) {
  const t = useText()
  const words = {
    done: t('common.stepDone'),
    current: t('common.stepCurrent'),
    waiting: t('common.stepWaiting'),
    failed: t('common.stepFailed'),
  }
  const spoken =
    steps.find(({ state }) => state === 'failed' || state === 'current') ??
    steps.filter(({ state }) => state === 'done').at(-1)
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
      <p className="visually-hidden" role="status">
        {spoken && `${spoken.title} (${words[spoken.state]})`}
        {spoken?.state === 'done' && spoken.detail && <> {spoken.detail}</>}
      </p>
    </>
  )
}
