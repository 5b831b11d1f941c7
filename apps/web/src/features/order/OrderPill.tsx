import type { PaidOrderState } from '@lode/wire'
import { useText } from '../../shared/i18n/index.ts'
import { Pill } from '../../shared/ui/index.ts'

const tones = {
  paying: 'lode',
  closing: 'neutral',
  confirming: 'sky',
  success: 'jade',
  failed: 'rose',
} as const satisfies Record<PaidOrderState, string>

/** The order's state in one word. */
export function OrderPill({ state }: { state: PaidOrderState }) {
  const t = useText()
  return <Pill tone={tones[state]}>{t(`order.states.${state}`)}</Pill>
}
