import type { DataOf } from '@lode/wire'
import { formatWholeAmount, isZero } from '../../shared/format/index.ts'
import { useText } from '../../shared/i18n/index.ts'
import { Note, NoteActions } from '../../shared/ui/index.ts'
import { ClaimButton } from '../promotion/index.ts'

type PendingThanksgivingProps = {
  thanksgiving: DataOf<'promotion/overview'>['thanksgiving'] | undefined
  onClaimed: () => void
}

/** A note that Thanksgiving rewards wait. A sharing expert claims them here. Draws nothing if none wait. */
export function PendingThanksgiving({ thanksgiving, onClaimed }: PendingThanksgivingProps) {
  const t = useText()
  if (!thanksgiving || isZero(thanksgiving.pending)) return null
  const { expert, pending } = thanksgiving
  return (
    <Note tone="lode">
      <p>{t('rewards.pending', { amount: formatWholeAmount(pending, 'USDT') })}</p>
      {expert ? (
        <NoteActions>
          <ClaimButton pending={pending} onAnswered={onClaimed} />
        </NoteActions>
      ) : (
        <p>{t('promotion.claimWho')}</p>
      )}
    </Note>
  )
}
