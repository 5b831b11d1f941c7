import { CircleAlert, Info } from 'lucide-react'
import { type ReactNode, useLayoutEffect, useRef } from 'react'
import { useMessage } from '../notify/index.ts'
import styles from './View.module.css'

type ViewProps = {
  top?: ReactNode
  /** The action of this screen, kept at the thumb. */
  foot?: ReactNode
  /** Centres what is shorter than the screen. */
  centred?: boolean
  children: ReactNode
}

/**
 * One screen: a bar, content that scrolls by itself, an action at the foot. It scrolls in its own container so that a view
 * that is kept alive comes back where it was left: hiding it takes its height away, so the place is written down and taken
 * up again when the view is shown.
 */
export function View({ top, foot, centred = false, children }: ViewProps) {
  const scroller = useRef<HTMLElement>(null)
  const place = useRef(0)
  useLayoutEffect(() => {
    if (scroller.current) scroller.current.scrollTop = place.current
  }, [])

  return (
    <div className={styles.view}>
      {top}
      <ViewMessage />
      <main
        ref={scroller}
        className={styles.scroller}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keys, also while it is loading
        tabIndex={0}
        onScroll={(event) => {
          place.current = event.currentTarget.scrollTop
        }}
      >
        <div className={styles.content} data-centred={centred ? '' : undefined}>
          {children}
        </div>
      </main>
      {foot && <footer className={styles.foot}>{foot}</footer>}
    </div>
  )
}

function ViewMessage() {
  const message = useMessage((state) => state.message)
  return (
    <div className={styles.messages} role="status">
      {message && (
        <p className={styles.message} data-tone={message.tone}>
          {message.tone === 'error' ? (
            <CircleAlert size={18} aria-hidden="true" />
          ) : (
            <Info size={18} aria-hidden="true" />
          )}
          {message.text}
        </p>
      )}
    </div>
  )
}
