import { useNavigate } from 'react-router'
import { wholeAmount } from '../../shared/format/index.ts'
import { useText } from '../../shared/i18n/index.ts'
import { useUnheard } from '../../shared/press/index.ts'
import { Button, Choices, Note } from '../../shared/ui/index.ts'
import { type Intent, intents, orderOf, transfersIn } from './intent.ts'
import { recordOf } from './paths.ts'
import styles from './transfer.module.css'

type UnheardNoteProps = {
  intent: Intent
  /** Null while the current terms, under which it must be confirmed, are not known. */
  onAgain: (() => void) | null
  onDiscard: () => void
}

/**
 * A press whose answer was lost. The pool's own list is read to find its outcome. The member can send it again under
 * its key. The member can discard it only when it can no longer arrive, because a new press would have another key.
 */
export function UnheardNote({ intent, onAgain, onDiscard }: UnheardNoteProps) {
  const t = useText()
  const navigate = useNavigate()
  const { made, isAnswered, stage, isOver } = useUnheard({
    presses: intents,
    press: intent,
    list: { type: '2', symbol: intent.symbol, limit: '100' },
    madeIn: (page) => orderOf(intent, transfersIn(page)),
  })
  if (isAnswered) return null
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
        {t(`transfer.unheard.${stage}`, { amount })}
      </p>
      <Choices>
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
      </Choices>
    </Note>
  )
}
