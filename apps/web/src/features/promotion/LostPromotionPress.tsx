import { useEffect, useState } from 'react'
import { useNow } from '../../shared/clock/index.ts'
import { useText } from '../../shared/i18n/index.ts'
import { canNoLongerArrive, LOOKUP_INTERVAL_MS } from '../../shared/press/index.ts'
import { session } from '../../shared/session/index.ts'
import { Button, Note, NoteActions } from '../../shared/ui/index.ts'
import { hasArrived, presses } from './promotion-press.ts'
import type { PromotionOverview } from './use-promotion-overview.ts'

type LostPromotionPressProps = {
  overview: PromotionOverview
  /** When the overview was loaded, by this browser's clock. */
  updatedAt: number
  onRefetch: () => unknown
}

/**
 * A press whose answer was lost. The overview shows the outcome: an open order or the new level. Until then the member
 * can press again, under the same key.
 */
export function LostPromotionPress({ overview, updatedAt, onRefetch }: LostPromotionPressProps) {
  const t = useText()
  const now = useNow(LOOKUP_INTERVAL_MS)
  const [dropped, setDropped] = useState<readonly string[]>([])
  const pending = presses.pendingOf(session.get().account ?? '').filter(({ key }) => !dropped.includes(key))
  const [oldest] = pending
  const isWaiting = oldest !== undefined && !hasArrived(oldest, overview)

  useEffect(() => {
    for (const press of pending) if (hasArrived(press, overview)) presses.remove(press)
  })
  useEffect(() => {
    if (!isWaiting) return
    const timer = setInterval(onRefetch, LOOKUP_INTERVAL_MS)
    return () => clearInterval(timer)
  }, [isWaiting, onRefetch])

  if (!isWaiting) return null
  const isOver = canNoLongerArrive(oldest.pressedAt, updatedAt, now)
  const { level } = oldest
  return (
    <Note tone="lode">
      <p role="status">{t(isOver ? 'promotion.unheard.notArrived' : 'promotion.unheard.notYet', { level })}</p>
      {isOver && (
        <NoteActions>
          <Button
            tone="plain"
            onClick={() => {
              presses.remove(oldest)
              setDropped([...dropped, oldest.key])
            }}
          >
            {t('payment.done')}
          </Button>
        </NoteActions>
      )}
    </Note>
  )
}
