import { assets } from '@lode/kernel'
import { ChevronDown } from 'lucide-react'
import { formatWholeAmount } from '../../shared/format/index.ts'
import { useText } from '../../shared/i18n/index.ts'
import { Card, Pill, Row, Rows, Skeleton } from '../../shared/ui/index.ts'
import styles from './promotion.module.css'
import type { Level, PromotionOverview } from './use-promotion-overview.ts'

/** All levels, with price and content. The next one is expanded. */
export function Ladder({ overview }: { overview: PromotionOverview | undefined }) {
  const t = useText()
  if (overview && !overview.plan) return null
  const plan = overview?.plan
  return (
    <Card
      title={t('promotion.ladder')}
      aside={plan ? <Pill tone="neutral">{t('order.planVersion', { version: plan.version })}</Pill> : undefined}
    >
      {plan && overview ? (
        <ol className={styles.ladder}>
          {plan.levels.map((level) => (
            <li key={level.level}>
              <Rung level={level} standing={levelState(level.level, overview.level)} />
            </li>
          ))}
        </ol>
      ) : (
        <ol className={styles.ladder} aria-hidden="true">
          {[0, 1, 2, 3, 4, 5].map((level) => (
            <li key={level} className={styles.rung}>
              <Skeleton>L0 · 000 USDT</Skeleton>
            </li>
          ))}
        </ol>
      )}
    </Card>
  )
}

type LevelState = 'held' | 'own' | 'next' | 'later'

function levelState(level: number, own: number): LevelState {
  if (level === own) return 'own'
  if (level < own) return 'held'
  return level === own + 1 ? 'next' : 'later'
}

function Rung({ level, standing }: { level: Level; standing: LevelState }) {
  const t = useText()
  return (
    <details className={styles.details} open={standing === 'next'}>
      <summary className={styles.rung} data-standing={standing}>
        <span className={styles.rungLevel}>{`L${level.level}`}</span>
        <span className={styles.rungPrice}>
          {level.level === 0 ? t('promotion.withRegistration') : formatWholeAmount(level.price, 'USDT')}
        </span>
        {standing === 'own' && <Pill tone="lode">{t('promotion.yours')}</Pill>}
        {standing === 'next' && <Pill tone="sky">{t('promotion.next')}</Pill>}
        <ChevronDown size={18} aria-hidden="true" className={styles.chevron} />
      </summary>
      <div className={styles.facts}>
        <LevelRows level={level} />
      </div>
    </details>
  )
}

/** What a level gives. */
export function LevelRows({ level }: { level: Level }) {
  const t = useText()
  return (
    <Rows>
      {level.level > 0 && <Row label={t('promotion.power')}>{t('promotion.powerOf', { power: level.power })}</Row>}
      {level.level > 0 && <Row label={t('promotion.airdrop')}>{formatWholeAmount(level.airdrop, 'BTN')}</Row>}
      <Row label={t('promotion.rewardsAtMost')}>{level.rewardsAtMost}</Row>
      <Row label={t('promotion.quotas')}>
        {assets.map((asset) => (
          <span key={asset} className={styles.quota}>
            {formatWholeAmount(level.quotas[asset], asset)}
          </span>
        ))}
      </Row>
    </Rows>
  )
}
