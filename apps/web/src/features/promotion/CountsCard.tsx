import { ChevronRight } from 'lucide-react'
import { Link } from 'react-router'
import { isZero, placesOf } from '../../shared/format/index.ts'
import { type TextFunction, useText } from '../../shared/i18n/index.ts'
import { useSession } from '../../shared/session/index.ts'
import { Amount, Card, Row, Rows, Skeleton } from '../../shared/ui/index.ts'
import { ClaimButton } from './ClaimButton.tsx'
import styles from './promotion.module.css'
import type { PromotionOverview } from './use-promotion-overview.ts'

type CountsCardProps = { overview: PromotionOverview | undefined; onClaimed: () => void }

/** Results of the member's invitations and of promotions below it. Realized figures only. */
export function CountsCard({ overview, onClaimed }: CountsCardProps) {
  const t = useText()
  const isExitSession = useSession(({ exit }) => exit)
  return (
    <Card title={t('promotion.counts')}>
      <Rows>
        <Row label={t('promotion.directReferrals')}>
          {overview ? overview.directReferrals : <Skeleton>00</Skeleton>}
          <span className={styles.beside}>
            {overview ? (
              t('promotion.activated', { number: overview.effectiveInvites })
            ) : (
              <Skeleton>{t('promotion.activated', { number: 0 })}</Skeleton>
            )}
          </span>
        </Row>
        <Row label={t('promotion.rewards')}>{overview ? rewardsText(t, overview) : <Skeleton>0 / 00</Skeleton>}</Row>
        <Row label={t('promotion.income')}>
          {overview ? (
            <Amount value={overview.income} symbol="USDT" places={placesOf.USDT} />
          ) : (
            <Skeleton>000.00 USDT</Skeleton>
          )}
        </Row>
        <Row label={t('promotion.thanksgiving')}>
          {overview ? (
            <Amount value={overview.thanksgiving.pending} symbol="USDT" places={placesOf.USDT} />
          ) : (
            <Skeleton>000.00 USDT</Skeleton>
          )}
          {overview && !overview.thanksgiving.expert && (
            <span className={styles.beside}>{t('promotion.expertsOnly')}</span>
          )}
        </Row>
      </Rows>
      {overview && <Thanksgiving thanksgiving={overview.thanksgiving} onClaimed={onClaimed} />}
      <nav className={styles.links} aria-label={t('promotion.records')}>
        <Link to="/wallet/income?period=all" className={styles.link}>
          <span>{t('promotion.allIncome')}</span>
          <ChevronRight size={20} aria-hidden="true" />
        </Link>
        <Link to="/promotion/reward" className={styles.link}>
          <span>{t('promotion.rewardRecords')}</span>
          <ChevronRight size={20} aria-hidden="true" />
        </Link>
        {!isExitSession && (
          <Link to="/setting/subscribe" className={styles.link}>
            <span>{t('promotion.orderRecords')}</span>
            <ChevronRight size={20} aria-hidden="true" />
          </Link>
        )}
      </nav>
    </Card>
  )
}

type ThanksgivingProps = { thanksgiving: PromotionOverview['thanksgiving']; onClaimed: () => void }

/**
 * For a sharing expert, a button that claims waiting Thanksgiving rewards. If rewards wait for another member, a text
 * about who can claim.
 */
function Thanksgiving({ thanksgiving: { expert, pending }, onClaimed }: ThanksgivingProps) {
  const t = useText()
  if (isZero(pending)) return expert ? <p className={styles.small}>{t('promotion.claimNothing')}</p> : null
  if (!expert) return <p className={styles.small}>{t('promotion.claimWho')}</p>
  return <ClaimButton pending={pending} onAnswered={onClaimed} />
}

/** Without a level no referral reward is possible. */
const rewardsText = (t: TextFunction, { level, rewards }: PromotionOverview): string =>
  level === 0 ? t('promotion.rewardsLater') : t('promotion.rewardsOf', rewards)
