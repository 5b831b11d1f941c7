import { useNavigate } from 'react-router'
import { formatWholeAmount } from '../../shared/format/index.ts'
import { useText } from '../../shared/i18n/index.ts'
import { useLostPress } from '../../shared/press/index.ts'
import { Button, Note, NoteActions } from '../../shared/ui/index.ts'
import { transferPath } from './paths.ts'
import styles from './transfer.module.css'
import { findOrder, type TransferPress, transferPresses, transfersIn } from './transfer-press.ts'

type LostTransferPressProps = {
  press: TransferPress
  /** Null until the current terms and the chain data have loaded. The member confirms again under these terms. */
  onAgain: (() => void) | null
  onDiscard: () => void
}

/**
 * A press whose answer was lost. The pool's own list is read to find its outcome. The member can send it again, under
 * its key if plan version and output address are still the same. The member can discard it only when it can no longer
 * arrive, because a new press would have another key.
 */
export function LostTransferPress({ press, onAgain, onDiscard }: LostTransferPressProps) {
  const t = useText()
  const navigate = useNavigate()
  const { made, isAnswered, stage, isOver } = useLostPress({
    presses: transferPresses,
    press,
    list: { type: '2', symbol: press.symbol, limit: '100' },
    findMade: (page) => findOrder(press, transfersIn(page)),
  })
  if (isAnswered) return null
  const amount = formatWholeAmount(press.amount, press.symbol)
  if (made)
    return (
      <Note tone="sky">
        <p>{t('transfer.unheard.made', { amount })}</p>
        <Button tone="plain" onClick={() => navigate(transferPath(made.id))}>
          {t('transfer.unheard.see')}
        </Button>
      </Note>
    )
  return (
    <Note tone="lode">
      <p role="status">
        {isOver ? <strong className={styles.failed}>{t('transfer.unheard.failed')}</strong> : null}
        {t(`transfer.unheard.${stage}`, { amount })}
      </p>
      <NoteActions>
        <Button tone="plain" disabled={onAgain === null} onClick={() => onAgain?.()}>
          {t('transfer.unheard.again')}
        </Button>
        {isOver && (
          <Button
            tone="plain"
            onClick={() => {
              transferPresses.remove(press)
              onDiscard()
            }}
          >
            {t('transfer.unheard.discard')}
          </Button>
        )}
      </NoteActions>
    </Note>
  )
}
