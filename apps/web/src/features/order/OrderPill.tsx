import type { PaidOrderState } from '@lode/wire'
import { useText } from '../../shared/i18n/index.ts'
import { Pill } from '../../shared/ui/index.ts'
import type { PayableOrder } from './order.ts'

const tones = {
  paying: 'lode',
  closing: 'neutral',
  confirming: 'sky',
  success: 'jade',
  failed: 'rose',
} as const satisfies Record<PaidOrderState, string>

/** The order's state in one word. An order that expired or was canceled cost nothing, so it is not shown in red. */
export function OrderPill({ order: { state, failure } }: { order: Pick<PayableOrder, 'state' | 'failure'> }) {
  const t = useText()
  if (failure === 'expired' || failure === 'cancelled')
    return <Pill tone="neutral">{t(`order.unpaidStates.${failure}`)}</Pill>
  return <Pill tone={tones[state]}>{t(`order.states.${state}`)}</Pill>
}
