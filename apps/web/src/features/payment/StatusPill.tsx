import type { Payment } from '../../chain/payment/index.ts'
import { type TextFunction, useText } from '../../shared/i18n/index.ts'
import { Pill } from '../../shared/ui/index.ts'

const tones = {
  checking: 'neutral',
  paused: 'neutral',
  asking: 'sky',
  approving: 'sky',
  sent: 'sky',
  unknown: 'neutral',
  mined: 'sky',
  confirming: 'sky',
  credited: 'jade',
  failed: 'rose',
  lapsed: 'neutral',
} as const

type StagedPayment = Pick<Payment, 'intent' | 'stage'>

/** The payment's stage in one word. A refused payment has none. */
export function stageText(t: TextFunction, { intent, stage }: StagedPayment): string {
  if (stage.at === 'refused') return ''
  const isSettled = stage.at === 'credited' && intent.purpose.kind === 'order' && !stage.toBalance
  return t(isSettled ? 'payment.status.settled' : `payment.status.${stage.at}`)
}

export function StatusPill({ payment }: { payment: StagedPayment }) {
  const t = useText()
  const { stage } = payment
  return stage.at === 'refused' ? null : <Pill tone={tones[stage.at]}>{stageText(t, payment)}</Pill>
}
