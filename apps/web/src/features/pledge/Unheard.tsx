import { wholeAmount } from '../../shared/format/index.ts'
import { useText } from '../../shared/i18n/index.ts'
import { useUnheard } from '../../shared/press/index.ts'
import { Button, Choices, Note } from '../../shared/ui/index.ts'
import { openOrder } from '../order/index.ts'
import { orderOf, type PledgePress, pledgesIn, presses } from './press.ts'

type UnheardProps = {
  press: PledgePress
  /** Null if the same press is impossible: the current plan is not known, or is another version. */
  onAgain: (() => void) | null
  onDiscard: () => void
}

/** A press whose answer was lost, and what is known about it. It can be sent again under its key. */
export function Unheard({ press, onAgain, onDiscard }: UnheardProps) {
  const t = useText()
  const { made, isAnswered, stage, isOver } = useUnheard({
    presses,
    press,
    list: { type: '3', limit: '100' },
    madeIn: (page) => orderOf(press, pledgesIn(page)),
  })
  if (isAnswered) return null
  const amount = wholeAmount(press.quantity, 'BTN')
  if (made)
    return (
      <Note tone="sky">
        <p>{t('pledge.unheard.made', { amount })}</p>
        <Choices>
          <Button tone="plain" onClick={() => openOrder(made.id)}>
            {t('order.see')}
          </Button>
        </Choices>
      </Note>
    )
  return (
    <Note tone="lode">
      <p role="status">{t(`pledge.unheard.${stage}`, { amount })}</p>
      <Choices>
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
      </Choices>
    </Note>
  )
}
