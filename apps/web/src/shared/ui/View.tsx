import { ArrowDown, CircleAlert, Info, LoaderCircle } from 'lucide-react'
import { type ReactNode, useLayoutEffect, useRef } from 'react'
import { useText } from '../i18n/index.ts'
import { useMessage } from '../notify/index.ts'
import { FAR_ENOUGH, type Pull } from './pull.ts'
import { usePullToRefresh } from './use-pull-to-refresh.ts'
import styles from './View.module.css'

type ViewProps = {
  top?: ReactNode
  /** The action of this screen, kept at the thumb. */
  foot?: ReactNode
  /** Centres what is shorter than the screen. */
  centred?: boolean
  /** What pulling it down from its top does. Offer a button for the same, for those who cannot pull. */
  onRefresh?: () => Promise<unknown>
  children: ReactNode
}

/**
 * One screen: a bar, content that scrolls by itself, an action at the foot. It scrolls in its own container so that a view
 * that is kept alive comes back where it was left: hiding it takes its height away, so the place is written down and taken
 * up again when the view is shown.
 */
export function View({ top, foot, centred = false, onRefresh, children }: ViewProps) {
  const scroller = useRef<HTMLElement>(null)
  const place = useRef(0)
  useLayoutEffect(() => {
    // At the top it stands already, and to say so would have the page laid out twice.
    if (scroller.current && place.current > 0) scroller.current.scrollTop = place.current
  }, [])
  const pull = usePullToRefresh(scroller, onRefresh)

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
        {onRefresh && <PullSign pull={pull} />}
        <div className={styles.content} data-centred={centred ? '' : undefined}>
          {children}
        </div>
      </main>
      {foot && <footer className={styles.foot}>{foot}</footer>}
    </div>
  )
}

function PullSign({ pull }: { pull: Pull }) {
  const t = useText()
  const height = pull.at === 'pulling' ? pull.distance : pull.at === 'refreshing' ? FAR_ENOUGH : 0
  return (
    <div className={styles.pull} data-held={pull.at === 'pulling' ? '' : undefined} style={{ height }} role="status">
      {pull.at === 'pulling' && (
        <p className={styles.pullWords}>
          <ArrowDown className={styles.pullArrow} data-far={pull.far ? '' : undefined} size={16} aria-hidden="true" />
          {pull.far ? t('common.releaseToRefresh') : t('common.pullToRefresh')}
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
