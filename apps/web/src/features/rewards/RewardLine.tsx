import type { RewardType } from '@lode/wire'
import { Gift, TrendingUp, UserPlus } from 'lucide-react'
import { memo } from 'react'
import { formatMoment, formatShare, placesOf } from '../../shared/format/index.ts'
import { useLanguage, useText } from '../../shared/i18n/index.ts'
import { RecordLine } from '../../shared/list/index.ts'
import { AddressTail, Amount, Pill, Skeleton } from '../../shared/ui/index.ts'
import { isGained, rewardStatusOf } from './reward-status.ts'
import styles from './rewards.module.css'
import type { Reward } from './use-rewards.ts'

const typeIcons = { promotionReward: UserPlus, upLevelReward: TrendingUp, agentReward: Gift } as const satisfies Record<
  RewardType,
  unknown
>
const iconTones = { claim: 'jade', unClaim: 'lode', failed: 'void', undefined: 'void' } as const
const tones = { claim: 'jade', unClaim: 'lode', failed: 'rose', undefined: 'neutral' } as const

type RewardLineProps = {
  reward: Reward | undefined
  /** Always the same function, because the line is memoized. */
  onOpen: (reward: Reward) => void
}

/**
 * One reward: amount, whose promotion it is for, and the reason if it was missed. Without a reward it draws a
 * placeholder of the same shape. Memoized for long lists.
 */
export const RewardLine = memo(function RewardLine({ reward, onOpen }: RewardLineProps) {
  const t = useText()
  const language = useLanguage()
  if (!reward) return <RewardLineSkeleton />
  const Sign = typeIcons[reward.type]
  const status = rewardStatusOf(reward)
  return (
    <RecordLine
      tone={iconTones[status]}
      colored={status === 'claim'}
      sign={<Sign size={18} />}
      name={t(`wallet.types.${reward.type}`)}
      onOpen={() => onOpen(reward)}
      amount={
        <Amount value={reward.amount} symbol="USDT" places={placesOf.USDT} {...(isGained(status) && { sign: '+' })} />
      }
      at={formatMoment(reward.at, language)}
      status={<Pill tone={tones[status]}>{t(`rewards.statuses.${status}`)}</Pill>}
    >
      <p className={styles.words}>
        <AddressTail value={reward.tail} /> {t('rewards.rose', { level: reward.level })}
      </p>
      <p className={styles.small}>
        {t('rewards.share', { share: formatShare(reward.basisPoints) })} ·{' '}
        {reward.layer === null ? t('rewards.invited') : t('rewards.layer', { layer: reward.layer })}
      </p>
      <RewardOutcome reward={reward} />
    </RecordLine>
  )
})

function RewardOutcome({ reward }: { reward: Reward }) {
  const t = useText()
  const language = useLanguage()
  if (reward.reason)
    return (
      <div className={styles.missed}>
        <p>{t(`rewards.reasons.${reward.reason}`, { level: reward.level })}</p>
        <p className={styles.small}>{t('rewards.toFund')}</p>
      </div>
    )
  if (reward.status === 'unClaim') return <p className={styles.small}>{t('rewards.waits')}</p>
  if (reward.type === 'agentReward' && reward.claimedAt)
    return (
      <p className={styles.small}>{t('rewards.claimedAt', { moment: formatMoment(reward.claimedAt, language) })}</p>
    )
  return null
}

function RewardLineSkeleton() {
  const t = useText()
  return (
    <RecordLine
      tone="neutral"
      name={<Skeleton>{t('wallet.types.promotionReward')}</Skeleton>}
      amount={<Skeleton>+00.00 USDT</Skeleton>}
      at={<Skeleton>00 Aaa 0000, 00:00</Skeleton>}
      status={
        <Pill tone="neutral">
          <Skeleton>{t('rewards.statuses.claim')}</Skeleton>
        </Pill>
      }
    >
      <p className={styles.words}>
        <Skeleton>{`…000000 ${t('rewards.rose', { level: 1 })}`}</Skeleton>
      </p>
      <p className={styles.small}>
        <Skeleton>{t('rewards.share', { share: '10%' })}</Skeleton>
      </p>
    </RecordLine>
  )
}
