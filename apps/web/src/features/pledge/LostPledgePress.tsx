import { formatWholeAmount } from '../../shared/format/index.ts'
import { useText } from '../../shared/i18n/index.ts'
import { useLostPress } from '../../shared/press/index.ts'
import { Button, Note, NoteActions } from '../../shared/ui/index.ts'
import { showOrder } from '../order/index.ts'
import { findOrder, type PledgePress, pledgeOrdersIn, presses } from './pledge-press.ts'

type LostPledgePressProps = {
  press: PledgePress
  /** Null if the same press is impossible: plan or chain data have not loaded, or the plan is another version. */
  onAgain: (() => void) | null
  onDiscard: () => void
}

/** A press whose answer was lost, and what is known about it. It can be sent again under its key. */
export function LostPledgePress({ press, onAgain, onDiscard }: LostPledgePressProps) {
  const t = useText()
  const { made, isAnswered, stage, isOver } = useLostPress({
    presses,
    press,
    list: { type: '3', limit: '100' },
    findMade: (page) => findOrder(press, pledgeOrdersIn(page)),
  })
  if (isAnswered) return null
  const amount = formatWholeAmount(press.quantity, 'BTN')
  if (made)
    return (
      <Note tone="sky">
        <p>{t('pledge.unheard.made', { amount })}</p>
        <NoteActions>
          <Button tone="plain" onClick={() => showOrder(made.id)}>
            {t('order.see')}
          </Button>
        </NoteActions>
      </Note>
    )
  return (
    <Note tone="lode">
      <p role="status">{t(`pledge.unheard.${stage}`, { amount })}</p>
      <NoteActions>
        <Button tone="plain" disabled={onAgain === null} onClick={() => onAgain?.()}>
          {t('pledge.unheard.again')}
        </Button>
        {isOver && (
          <Button
            tone="plain"
            onClick={() => {
              presses.remove(press)
              onDiscard()
            }}
          >
            {t('pledge.unheard.discard')}
          </Button>
        )}
      </NoteActions>
    </Note>
  )
}
