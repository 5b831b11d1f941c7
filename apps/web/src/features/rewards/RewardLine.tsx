import type { RewardType } from '@lode/wire'
import { Gift, TrendingUp, UserPlus } from 'lucide-react'
import { formatMoment, formatShare, placesOf } from '../../shared/format/index.ts'
import { useLanguage, useText } from '../../shared/i18n/index.ts'
import { AddressTail, Amount, Pair, Pill, Skeleton } from '../../shared/ui/index.ts'
import styles from './rewards.module.css'
import type { Reward } from './use-rewards.ts'

const signs = { promotionReward: UserPlus, upLevelReward: TrendingUp, agentReward: Gift } as const satisfies Record<
  RewardType,
  unknown
>
const tones = { claim: 'jade', unClaim: 'lode', failed: 'rose' } as const satisfies Record<Reward['status'], string>

/** One reward: how much, for whose promotion, and why not, where it was missed. Without one it has the same shape. */
export function RewardLine({ reward }: { reward: Reward | undefined }) {
  const t = useText()
  const language = useLanguage()
  if (!reward) return <WaitingLine />
  const Sign = signs[reward.type]
  return (
    <li className={styles.line} data-status={reward.status}>
      <span className={styles.sign} aria-hidden="true">
        <Sign size={18} />
      </span>
      <div className={styles.facts}>
        <Pair>
          <p className={styles.type}>{t(`wallet.types.${reward.type}`)}</p>
          <p className={styles.amount}>
            <Amount
              value={reward.amount}
              symbol="USDT"
              places={placesOf.USDT}
              {...(reward.status !== 'failed' && { sign: '+' })}
            />
          </p>
        </Pair>
        <Pair>
          <p className={styles.at}>{formatMoment(reward.at, language)}</p>
          <Pill tone={tones[reward.status]}>{t(`rewards.statuses.${reward.status}`)}</Pill>
        </Pair>
        <p className={styles.words}>
          <AddressTail value={reward.tail} /> {t('rewards.rose', { level: reward.level })}
        </p>
        <p className={styles.small}>
          {t('rewards.share', { share: formatShare(reward.basisPoints) })} ·{' '}
          {reward.layer === null ? t('rewards.invited') : t('rewards.layer', { layer: reward.layer })}
        </p>
        <Standing reward={reward} />
      </div>
    </li>
  )
}

function Standing({ reward }: { reward: Reward }) {
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

function WaitingLine() {
  const t = useText()
  return (
    <li className={styles.line}>
      <span className={styles.sign} />
      <div className={styles.facts}>
        <Pair>
          <p className={styles.type}>
            <Skeleton>{t('wallet.types.promotionReward')}</Skeleton>
          </p>
          <p className={styles.amount}>
            <Skeleton>+00.00 USDT</Skeleton>
          </p>
        </Pair>
        <Pair>
          <p className={styles.at}>
            <Skeleton>00 Aaa 0000, 00:00</Skeleton>
          </p>
          <Pill tone="neutral">
            <Skeleton>{t('rewards.statuses.claim')}</Skeleton>
          </Pill>
        </Pair>
        <p className={styles.words}>
          <Skeleton>{`…000000 ${t('rewards.rose', { level: 1 })}`}</Skeleton>
        </p>
        <p className={styles.small}>
          <Skeleton>{t('rewards.share', { share: '10%' })}</Skeleton>
        </p>
      </div>
    </li>
  )
}
