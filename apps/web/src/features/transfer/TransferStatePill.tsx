import { useText } from '../../shared/i18n/index.ts'
import { Pill } from '../../shared/ui/index.ts'
import type { TransferOrder } from './transfer-press.ts'
import { type ShownTransferState, shownTransferState } from './transfer-timeline.ts'

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
} as const satisfies Record<ShownTransferState, string>

/** The transfer's state in one word. */
export function TransferStatePill({ order }: { order: TransferOrder }) {
  const t = useText()
  const state = shownTransferState(order)
  return <Pill tone={tones[state]}>{t(`transfer.standing.${state}`)}</Pill>
}
