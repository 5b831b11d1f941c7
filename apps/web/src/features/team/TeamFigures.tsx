import type { ReactNode } from 'react'
import { placesOf } from '../../shared/format/index.ts'
import { useText } from '../../shared/i18n/index.ts'
import { Card, LargeAmount, Pill, Skeleton } from '../../shared/ui/index.ts'
import { WhatIs } from '../explain/index.ts'
import styles from './TeamFigures.module.css'
import type { TeamOverview } from './use-team.ts'

const AREAS = 3

/** The team in four figures. Without an overview it draws a placeholder of the same shape. */
export function TeamFigures({ overview }: { overview: TeamOverview | undefined }) {
  const t = useText()
  return (
    <Card>
      <dl className={styles.figures}>
        <Figure label={t('team.level')}>
          {overview ? `L${overview.level}` : <Skeleton>L0</Skeleton>}{' '}
          <span className={styles.state}>
            <Pill tone={overview?.activated ? 'jade' : 'neutral'}>
              {overview ? (
                t(overview.activated ? 'profile.activated' : 'profile.notActivated')
              ) : (
                <Skeleton>{t('profile.activated')}</Skeleton>
              )}
            </Pill>
          </span>
          <WhatIs word="activated" />
        </Figure>
        <Figure label={t('team.effectiveInvites')} explained={t('team.effectiveInvitesText')}>
          {overview ? overview.effectiveInvites : <Skeleton>0</Skeleton>}
        </Figure>
        <Figure label={t('team.activeTeams')} explained={t('team.activeTeamsText')}>
          {overview ? (
            t('team.ofCapacity', { headcount: overview.activeTeams, capacity: AREAS })
          ) : (
            <Skeleton>0</Skeleton>
          )}
        </Figure>
        <Figure label={t('team.performance')} explained={t('team.performanceText')}>
          {overview ? (
            <span className={styles.fitted}>
              <LargeAmount size="medium" value={overview.performance} symbol="USDT" places={placesOf.USDT} />
            </span>
          ) : (
            <Skeleton>0.00 USDT</Skeleton>
          )}
        </Figure>
      </dl>
    </Card>
  )
}

type FigureProps = { label: string; explained?: string; children: ReactNode }

function Figure({ label, explained, children }: FigureProps) {
  return (
    <div className={styles.figure}>
      <dt className={styles.label}>{label}</dt>
      <dd className={styles.value}>{children}</dd>
      {explained && <dd className={styles.explained}>{explained}</dd>}
    </div>
  )
}
