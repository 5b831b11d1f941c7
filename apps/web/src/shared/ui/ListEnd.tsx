import { useEffect, useEffectEvent, useRef } from 'react'
import { useText } from '../i18n/index.ts'
import { Button } from './Button.tsx'
import styles from './ListEnd.module.css'

/** `more`: there is another page. `failed`: the next page did not load and is not requested again by itself. */
type ListEndProps = { state: 'more' | 'loading' | 'failed' | 'end'; onMore: () => void }

type Pages = {
  readonly hasNextPage: boolean
  readonly isFetchingNextPage: boolean
  readonly isFetchNextPageError: boolean
}

/** The state for `ListEnd`, from a query that reads page by page. */
export function listEnd({ hasNextPage, isFetchingNextPage, isFetchNextPageError }: Pages): ListEndProps['state'] {
  if (isFetchingNextPage) return 'loading'
  if (isFetchNextPageError) return 'failed'
  return hasNextPage ? 'more' : 'end'
}

/** The end of a list that is read page by page. The next page loads when this becomes visible, or at a press. */
export function ListEnd({ state, onMore }: ListEndProps) {
  const t = useText()
  const end = useRef<HTMLDivElement>(null)
  const more = useEffectEvent(onMore)

  useEffect(() => {
    const element = end.current
    if (!element || state !== 'more') return
    // Loads a little before the end is visible, so that a steady scroll does not reach the end.
    const options = { root: element.closest('main'), rootMargin: '240px' }
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && more(), options)
    observer.observe(element)
    return () => observer.disconnect()
  }, [state])

  return (
    <div ref={end} className={styles.end}>
      {/* The button is outside: a screen reader would announce it as news. */}
      <div role="status">
        {state === 'end' && <p>{t('common.list.end')}</p>}
        {state === 'loading' && <p>{t('common.loading')}</p>}
        {state === 'failed' && <p className={styles.failed}>{t('common.list.failed')}</p>}
      </div>
      {(state === 'more' || state === 'failed') && (
        <Button tone="plain" onClick={onMore}>
          {state === 'more' ? t('common.list.more') : t('common.retry')}
        </Button>
      )}
    </div>
  )
}
