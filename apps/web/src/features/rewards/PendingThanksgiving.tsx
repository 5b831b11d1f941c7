import type { DataOf } from '@lode/wire'
import { formatWholeAmount, isZero } from '../../shared/format/index.ts'
import { useText } from '../../shared/i18n/index.ts'
import { Note } from '../../shared/ui/index.ts'
import { ClaimButton } from '../promotion/index.ts'
import styles from './rewards.module.css'

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
        <div className={styles.claim}>
          <ClaimButton pending={pending} onAnswered={onClaimed} />
        </div>
      ) : (
        <p>{t('promotion.claimWho')}</p>
      )}
    </Note>
  )
}
