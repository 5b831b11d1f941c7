import { placesOf } from '../../shared/format/index.ts'
import { useText } from '../../shared/i18n/index.ts'
import { Amount, Card, Row, Rows, Skeleton } from '../../shared/ui/index.ts'
import { WhatIs } from '../explain/index.ts'
import styles from './promotion.module.css'
import type { PromotionOverview } from './use-promotion-overview.ts'

/** The member's level, and its payments and computing power so far. */
export function LevelCard({ overview }: { overview: PromotionOverview | undefined }) {
  const t = useText()
  const levels = overview?.plan?.levels ?? []
  return (
    <Card>
      <div className={styles.own}>
        <div>
          <p className={styles.small}>{t('promotion.ownLevel')}</p>
          <p className={styles.level}>{overview ? `L${overview.level}` : <Skeleton>L0</Skeleton>}</p>
        </div>
        <div className={styles.bars} aria-hidden="true">
          {levels.slice(1).map(({ level }) => (
            <span
              key={level}
              className={styles.bar}
              data-held={overview && level <= overview.level ? '' : undefined}
              data-next={overview && level === overview.level + 1 ? '' : undefined}
              style={{ blockSize: `${(level / (levels.length - 1)) * 100}%` }}
            />
          ))}
        </div>
      </div>
      <Rows>
        <Row
          label={
            <>
              {t('promotion.ownPower')}
              <WhatIs word="power" />
            </>
          }
        >
          {overview ? t('promotion.powerOf', { power: overview.power }) : <Skeleton>00 TH/s</Skeleton>}
        </Row>
        <Row label={t('promotion.investment')}>
          {overview ? (
            <Amount value={overview.investment} symbol="USDT" places={placesOf.USDT} />
          ) : (
            <Skeleton>000.00 USDT</Skeleton>
          )}
        </Row>
      </Rows>
    </Card>
  )
}
