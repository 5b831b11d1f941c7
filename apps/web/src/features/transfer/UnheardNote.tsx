import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useNavigate } from 'react-router'
import { read } from '../../shared/api/index.ts'
import { useNow } from '../../shared/clock/index.ts'
import { wholeAmount } from '../../shared/format/index.ts'
import { useText } from '../../shared/i18n/index.ts'
import { LOOK_EVERY_MS, willNotCome } from '../../shared/press/index.ts'
import { Button, Note } from '../../shared/ui/index.ts'
import { type Intent, intents, orderOf, transfersIn } from './intent.ts'
import { recordOf } from './paths.ts'
import styles from './transfer.module.css'

type UnheardNoteProps = {
  intent: Intent
  /** Null while the terms of now, which it is to be confirmed by, are not known. */
  onAgain: (() => void) | null
  onDiscard: () => void
}

/**
 * A press whose answer was lost, with the password that went with it: what came of it is looked up in the pool's own list. It can
 * be sent again, under its key; it is given up only where it is known not to have come, since another press would be another key.
 */
export function UnheardNote({ intent, onAgain, onDiscard }: UnheardNoteProps) {
  const t = useText()
  const navigate = useNavigate()
  const now = useNow(LOOK_EVERY_MS)
  const { data, dataUpdatedAt, error } = useQuery({
    ...read('order/list', { type: '2', symbol: intent.symbol, limit: '100' }),
    meta: { quiet: true },
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data && orderOf(intent, transfersIn(state.data)) ? false : LOOK_EVERY_MS),
  })
  const made = data && orderOf(intent, transfersIn(data))
  // As it is written down now: it may have been sent again meanwhile.
  const kept = intents.keptOf(intent.account).find(({ key }) => key === intent.key)
  const pressedAt = kept?.pressedAt ?? intent.pressedAt
  const isOver = !error && willNotCome(pressedAt, dataUpdatedAt, now)
  useEffect(() => {
    if (made) intents.drop(intent)
  }, [made, intent])

  // Known meanwhile, by the answer after all: refused, so that there is nothing to wait for.
  if (!made && !kept) return null
  const amount = wholeAmount(intent.amount, intent.symbol)
  if (made)
    return (
      <Note tone="sky">
        <p>{t('transfer.unheard.made', { amount })}</p>
        <Button tone="plain" onClick={() => navigate(recordOf(made.id))}>
          {t('transfer.unheard.see')}
        </Button>
      </Note>
    )
  return (
    <Note tone="lode">
      <p role="status">
        {isOver ? <strong className={styles.failed}>{t('transfer.unheard.failed')}</strong> : null}
        {error
          ? t('transfer.unheard.cannotLook', { amount })
          : !data
            ? t('transfer.unheard.looking', { amount })
            : isOver
              ? t('transfer.unheard.notArrived', { amount })
              : t('transfer.unheard.notYet', { amount })}
      </p>
      <div className={styles.choices}>
        <Button tone="plain" disabled={onAgain === null} onClick={() => onAgain?.()}>
          {t('transfer.unheard.again')}
        </Button>
        {isOver && (
          <Button
            tone="plain"
            onClick={() => {
              intents.drop(intent)
              onDiscard()
            }}
          >
            {t('transfer.unheard.discard')}
          </Button>
        )}
      </div>
    </Note>
  )
}
