import { formatShare } from '../../shared/format/index.ts'
import { useText } from '../../shared/i18n/index.ts'
import { RecordSheet } from '../../shared/record/index.ts'
import { AddressTail, Row } from '../../shared/ui/index.ts'
import { isGained, rewardStatusOf } from './reward-status.ts'
import type { Reward } from './use-rewards.ts'

/** All that is known about one reward: whose promotion it is for, how much of the price, and the balance after it. */
export function RewardSheet({ reward, onClose }: { reward: Reward; onClose: () => void }) {
  const t = useText()
  const { type, amount, at, claimedAt, balanceAfter, line, tail, level, layer, basisPoints, reason } = reward
  const status = rewardStatusOf(reward)
  return (
    <RecordSheet
      {...{ amount, at, balanceAfter, onClose }}
      title={t(`wallet.types.${type}`)}
      symbol="USDT"
      {...(isGained(status) && { sign: '+' })}
      status={t(`rewards.statuses.${status}`)}
      rows={
        <>
          <Row label={t('rewards.detail.member')}>
            <AddressTail value={tail} />
          </Row>
          <Row label={t('rewards.detail.level')}>{`L${level}`}</Row>
          <Row label={t('rewards.detail.place')}>
            {layer === null ? t('rewards.invited') : t('rewards.layer', { layer })}
          </Row>
          <Row label={t('rewards.detail.share')}>{t('rewards.share', { share: formatShare(basisPoints) })}</Row>
          {reason && (
            <Row label={t('rewards.detail.reason')} stacked>
              {t(`rewards.reasons.${reason}`, { level })}
              <br />
              {t('rewards.toFund')}
            </Row>
          )}
        </>
      }
      endedAt={claimedAt}
      endedLabel={t('rewards.detail.claimed')}
      noBalance={t(status === 'unClaim' ? 'rewards.detail.waiting' : 'rewards.detail.unchanged')}
      tx={null}
      noTransaction={reason ? null : t('wallet.detail.noTransaction')}
      reference={line}
    />
  )
}
