import { useEffect, useEffectEvent, useRef } from 'react'
import { useText } from '../i18n/index.ts'
import { Button } from './Button.tsx'
import styles from './ListEnd.module.css'

/** `more`: there is another page. `failed`: the last one did not come, and is not asked for again by itself. */
type ListEndProps = { state: 'more' | 'loading' | 'failed' | 'end'; onMore: () => void }

type Pages = {
  readonly hasNextPage: boolean
  readonly isFetchingNextPage: boolean
  readonly isFetchNextPageError: boolean
}

/** How far a list that is read page by page has come. */
export function listEnd({ hasNextPage, isFetchingNextPage, isFetchNextPageError }: Pages): ListEndProps['state'] {
  if (isFetchingNextPage) return 'loading'
  if (isFetchNextPageError) return 'failed'
  return hasNextPage ? 'more' : 'end'
}

/** What stands below a list that is loaded page by page. The next page comes when this comes into sight, or at a press. */
export function ListEnd({ state, onMore }: ListEndProps) {
  const t = useText()
  const end = useRef<HTMLDivElement>(null)
  const more = useEffectEvent(onMore)

  useEffect(() => {
    const element = end.current
    if (!element || state !== 'more') return
    // A little before the end is reached, so that whoever scrolls steadily does not meet it.
    const options = { root: element.closest('main'), rootMargin: '240px' }
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && more(), options)
    observer.observe(element)
    return () => observer.disconnect()
  }, [state])

  return (
    <div ref={end} className={styles.end} role="status">
      {state === 'end' && <p>{t('common.list.end')}</p>}
      {state === 'loading' && <p>{t('common.loading')}</p>}
      {state === 'failed' && <p className={styles.failed}>{t('common.list.failed')}</p>}
      {(state === 'more' || state === 'failed') && (
        <Button tone="plain" onClick={onMore}>
          {state === 'more' ? t('common.list.more') : t('common.retry')}
        </Button>
      )}
    </div>
  )
}
