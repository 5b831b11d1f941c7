import { useText } from '../../shared/i18n/index.ts'
import { Pill } from '../../shared/ui/index.ts'
import type { TransferOrder } from './intent.ts'
import { type Standing, standingOf } from './progress.ts'

const tones = {
  held: 'lode',
  review: 'lode',
  approved: 'sky',
  queued: 'lode',
  late: 'lode',
  signed: 'sky',
  broadcast: 'sky',
  mined: 'sky',
  final: 'jade',
  rejected: 'rose',
  cancelled: 'neutral',
  reverted: 'rose',
} as const satisfies Record<Standing, string>

/** The transfer's state in one word. */
export function StandingPill({ order }: { order: TransferOrder }) {
  const t = useText()
  const standing = standingOf(order)
  return <Pill tone={tones[standing]}>{t(`transfer.standing.${standing}`)}</Pill>
}
