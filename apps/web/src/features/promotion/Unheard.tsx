import { useEffect, useState } from 'react'
import { useNow } from '../../shared/clock/index.ts'
import { useText } from '../../shared/i18n/index.ts'
import { LOOK_EVERY_MS, willNotCome } from '../../shared/press/index.ts'
import { session } from '../../shared/session/index.ts'
import { Button, Choices, Note } from '../../shared/ui/index.ts'
import { hasCome, presses } from './press.ts'
import type { Overview } from './use-promotion.ts'

type UnheardProps = {
  overview: Overview
  /** When the overview was loaded, by this browser's clock. */
  updatedAt: number
  onLook: () => unknown
}

/**
 * A press whose answer was lost. The overview shows the outcome: an open order or the new level. Until then the member
 * can press again, under the same key.
 */
export function Unheard({ overview, updatedAt, onLook }: UnheardProps) {
  const t = useText()
  const now = useNow(LOOK_EVERY_MS)
  const [dropped, setDropped] = useState<readonly string[]>([])
  const kept = presses.keptOf(session.get().account ?? '').filter(({ key }) => !dropped.includes(key))
  const [oldest] = kept
  const waits = oldest !== undefined && !hasCome(oldest, overview)

  useEffect(() => {
    for (const press of kept) if (hasCome(press, overview)) presses.drop(press)
  })
  useEffect(() => {
    if (!waits) return
    const looking = setInterval(onLook, LOOK_EVERY_MS)
    return () => clearInterval(looking)
  }, [waits, onLook])

  if (!waits) return null
  const isOver = willNotCome(oldest.pressedAt, updatedAt, now)
  const { level } = oldest
  return (
    <Note tone="lode">
      <p role="status">{t(isOver ? 'promotion.unheard.notArrived' : 'promotion.unheard.notYet', { level })}</p>
      {isOver && (
        <Choices>
          <Button
            tone="plain"
            onClick={() => {
              presses.drop(oldest)
              setDropped([...dropped, oldest.key])
            }}
          >
            {t('payment.done')}
          </Button>
        </Choices>
      )}
    </Note>
  )
}
