import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { read } from '../../shared/api/index.ts'
import { useNow } from '../../shared/clock/index.ts'
import { wholeAmount } from '../../shared/format/index.ts'
import { useText } from '../../shared/i18n/index.ts'
import { LOOK_EVERY_MS, willNotCome } from '../../shared/press/index.ts'
import { Button, Note } from '../../shared/ui/index.ts'
import { openOrder } from '../order/index.ts'
import styles from './pledge.module.css'
import { orderOf, type PledgePress, pledgesIn, presses } from './press.ts'

type UnheardProps = {
  press: PledgePress
  /** Null where it cannot be the same again: the plan of now is not known, or is another. */
  onAgain: (() => void) | null
  onDiscard: () => void
}

/**
 * A press whose answer was lost: what came of it is looked up in the pool's own list. It can be sent again, under its key; it is given
 * up only where it is known not to have come, since another press would be another key.
 */
export function Unheard({ press, onAgain, onDiscard }: UnheardProps) {
  const t = useText()
  const now = useNow(LOOK_EVERY_MS)
  const { data, dataUpdatedAt, error } = useQuery({
    ...read('order/list', { type: '3', limit: '100' }),
    meta: { quiet: true },
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data && orderOf(press, pledgesIn(state.data)) ? false : LOOK_EVERY_MS),
  })
  const made = data && orderOf(press, pledgesIn(data))
  // As it is written down now: it may have been sent again meanwhile.
  const kept = presses.keptOf(press.account).find(({ key }) => key === press.key)
  const isOver = !error && willNotCome(kept?.pressedAt ?? press.pressedAt, dataUpdatedAt, now)
  useEffect(() => {
    if (made) presses.drop(press)
  }, [made, press])

  // Known meanwhile, by the answer after all.
  if (!made && !kept) return null
  const amount = wholeAmount(press.quantity, 'BTN')
  if (made)
    return (
      <Note tone="sky">
        <p>{t('pledge.unheard.made', { amount })}</p>
        <div className={styles.choices}>
          <Button tone="plain" onClick={() => openOrder(made.id)}>
            {t('order.see')}
          </Button>
        </div>
      </Note>
    )
  return (
    <Note tone="lode">
      <p role="status">
        {error
          ? t('pledge.unheard.cannotLook', { amount })
          : !data
            ? t('pledge.unheard.looking', { amount })
            : isOver
              ? t('pledge.unheard.notArrived', { amount })
              : t('pledge.unheard.notYet', { amount })}
      </p>
      <div className={styles.choices}>
        <Button tone="plain" disabled={onAgain === null} onClick={() => onAgain?.()}>
          {t('pledge.unheard.again')}
        </Button>
        {isOver && (
          <Button
            tone="plain"
            onClick={() => {
              presses.drop(press)
              onDiscard()
            }}
          >
            {t('pledge.unheard.discard')}
          </Button>
        )}
      </div>
    </Note>
  )
}
