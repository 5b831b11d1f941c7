import { useText } from '../../shared/i18n/index.ts'
import { Pill, Skeleton } from '../../shared/ui/index.ts'
import styles from './LayerProgress.module.css'
import type { TeamOverview } from './use-team.ts'

type LayerProgressProps = { label: string; occupancy: TeamOverview['threeLayers'] | undefined }

/** How many places of these layers are taken. */
export function LayerProgress({ label, occupancy }: LayerProgressProps) {
  const t = useText()
  const share = occupancy ? occupancy.headcount / occupancy.capacity : 0
  return (
    <div>
      <div className={styles.words}>
        <p className={styles.label}>
          {label} {occupancy?.full && <Pill tone="jade">{t('team.full')}</Pill>}
        </p>
        <p className={styles.count}>
          {occupancy ? (
            t('team.ofCapacity', { headcount: occupancy.headcount, capacity: occupancy.capacity })
          ) : (
            <Skeleton>00 / 000</Skeleton>
          )}
        </p>
      </div>
      <div className={styles.bar} aria-hidden="true">
        <div className={styles.taken} style={{ inlineSize: `${share * 100}%` }} />
      </div>
    </div>
  )
}
