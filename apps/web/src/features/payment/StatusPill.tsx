import type { TFunction } from 'i18next'
import type { Stage } from '../../chain/payment/index.ts'
import { useText } from '../../shared/i18n/index.ts'
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
} as const

/** Where a payment stands, in a word. A refused one stands nowhere. */
export const stageText = (t: TFunction, stage: Stage): string =>
  stage.at === 'refused' ? '' : t(`payment.status.${stage.at}`)

export function StatusPill({ stage }: { stage: Stage }) {
  const t = useText()
  return stage.at === 'refused' ? null : <Pill tone={tones[stage.at]}>{stageText(t, stage)}</Pill>
}
