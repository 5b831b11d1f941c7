import { useEffect, useState } from 'react'
import { useNow } from '../../shared/clock/index.ts'
import { useText } from '../../shared/i18n/index.ts'
import { session } from '../../shared/session/index.ts'
import { Button, Note } from '../../shared/ui/index.ts'
import { hasCome, type OrderPress, presses } from './press.ts'
import styles from './promotion.module.css'
import type { Overview } from './use-promotion.ts'

/** A request that has not come to the pool so long after it was last sent will not come any more: whoever sent it gave up after a minute. */
const NO_LONGER_MS = 120_000
const LOOK_EVERY_MS = 3_000

type UnheardProps = {
  overview: Overview
  /** When it was asked for, by the clock of this browser. */
  updatedAt: number
  onLook: () => unknown
}

/**
 * A press whose answer was lost: what came of it is seen in the overview, which shows the order or the new level. Until then it can
 * be pressed again, under its key.
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
  // biome-ignore lint/correctness/useExhaustiveDependencies: at every tick of the clock
  useEffect(() => {
    if (waits) onLook()
  }, [waits, now])

  if (!waits) return null
  const isOver = (press: OrderPress) =>
    updatedAt - press.pressedAt > NO_LONGER_MS && now - press.pressedAt > NO_LONGER_MS
  const { level } = oldest
  return (
    <Note tone="lode">
      <p role="status">{t(isOver(oldest) ? 'promotion.unheard.notArrived' : 'promotion.unheard.notYet', { level })}</p>
      {isOver(oldest) && (
        <div className={styles.choices}>
          <Button
            tone="plain"
            onClick={() => {
              presses.drop(oldest)
              setDropped([...dropped, oldest.key])
            }}
          >
            {t('payment.done')}
          </Button>
        </div>
      )}
    </Note>
  )
}
