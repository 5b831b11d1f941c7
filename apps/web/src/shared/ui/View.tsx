import { ArrowDown, CircleAlert, Info, LoaderCircle } from 'lucide-react'
import { type ReactNode, useLayoutEffect, useRef } from 'react'
import { useText } from '../i18n/index.ts'
import { useMessage } from '../notify/index.ts'
import { type Pull, REFRESH_DISTANCE } from './pull-gesture.ts'
import { usePullToRefresh } from './use-pull-to-refresh.ts'
import styles from './View.module.css'

type ViewProps = {
  top?: ReactNode
  /** The main action of this screen. It stays at the bottom, within reach of the thumb. */
  foot?: ReactNode
  /** Centers content that is shorter than the screen. */
  centered?: boolean
  /** Uses the width of a large window. Its content is in `Columns`. */
  wide?: boolean
  /** Called when the member pulls the view down from its top. Also offer a button, for members who cannot pull. */
  onRefresh?: () => Promise<unknown>
  children: ReactNode
}

/**
 * One screen: a bar, scrolling content and an action at the bottom. It scrolls in its own container, so that a view
 * that is kept alive returns to its position. Hiding a view removes its height, so the position is stored and restored
 * when the view is shown.
 */
export function View({ top, foot, centered = false, wide = false, onRefresh, children }: ViewProps) {
  const scroller = useRef<HTMLElement>(null)
  const scrollPosition = useRef(0)
  useLayoutEffect(() => {
    // At 0 nothing needs to be set, and setting it would cost a second layout.
    if (scroller.current && scrollPosition.current > 0) scroller.current.scrollTop = scrollPosition.current
  }, [])
  const pull = usePullToRefresh(scroller, onRefresh)

  return (
    <div className={styles.view} data-wide={wide ? '' : undefined}>
      {top}
      <ViewMessage />
      <main
        ref={scroller}
        className={styles.scroller}
        data-centered={centered ? '' : undefined}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users must be able to scroll, also while it loads
        tabIndex={0}
        onScroll={(event) => {
          scrollPosition.current = event.currentTarget.scrollTop
        }}
      >
        {onRefresh && <PullIndicator pull={pull} />}
        <div className={styles.content}>{children}</div>
      </main>
      {foot && <footer className={styles.foot}>{foot}</footer>}
    </div>
  )
}

function PullIndicator({ pull }: { pull: Pull }) {
  const t = useText()
  const height = pull.at === 'pulling' ? pull.distance : pull.at === 'refreshing' ? REFRESH_DISTANCE : 0
  return (
    <div className={styles.pull} data-held={pull.at === 'pulling' ? '' : undefined} style={{ height }} role="status">
      {pull.at === 'pulling' && (
        <p className={styles.pullWords}>
          <ArrowDown
            className={styles.pullArrow}
            data-far={pull.isFarEnough ? '' : undefined}
            size={16}
            aria-hidden="true"
          />
          {pull.isFarEnough ? t('common.releaseToRefresh') : t('common.pullToRefresh')}
        </p>
      )}
      {pull.at === 'refreshing' && (
        <p className={styles.pullWords}>
          <LoaderCircle className={styles.turning} size={16} aria-hidden="true" />
          {t('common.refreshing')}
        </p>
      )}
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
