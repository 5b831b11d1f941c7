import { branches } from '@lode/wire'
import { ChevronRight } from 'lucide-react'
import { Link } from 'react-router'
import { useText } from '../../shared/i18n/index.ts'
import { Card, Logo, Skeleton } from '../../shared/ui/index.ts'
import styles from './NetCard.module.css'
import type { TeamOverview } from './use-team.ts'

/** The three areas in figures, with a link to the net. */
export function NetCard({ overview }: { overview: TeamOverview | undefined }) {
  const t = useText()
  return (
    <Card title={t('team.net')}>
      <dl className={styles.areas}>
        {branches.map((branch) => {
          const area = overview?.areas.find((each) => each.branch === branch)
          return (
            <div key={branch} className={styles.area}>
              <dt className={styles.branch}>{t(`team.branches.${branch}`)}</dt>
              <dd className={styles.headcount}>{area ? area.headcount : <Skeleton>00</Skeleton>}</dd>
              <dd className={styles.active}>
                {area ? (
                  t('team.active', { number: area.activated })
                ) : (
                  <Skeleton>{t('team.active', { number: 0 })}</Skeleton>
                )}
              </dd>
            </div>
          )
        })}
      </dl>
      <p className={styles.text}>{t('team.netText')}</p>
      <Link to="/teams/maps" className={styles.open}>
        <Logo size={22} bare />
        <span>{t('team.openNet')}</span>
        <ChevronRight size={20} aria-hidden="true" />
      </Link>
    </Card>
  )
}
