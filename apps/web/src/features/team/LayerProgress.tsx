import { useText } from '../../shared/i18n/index.ts'
import { Pill, Skeleton } from '../../shared/ui/index.ts'
import styles from './LayerProgress.module.css'
import type { Overview } from './use-team.ts'

type LayerProgressProps = { label: string; filling: Overview['threeLayers'] | undefined }

/** How many places of these layers are taken. */
export function LayerProgress({ label, filling }: LayerProgressProps) {
  const t = useText()
  const share = filling ? filling.headcount / filling.capacity : 0
  return (
    <div>
      <div className={styles.words}>
        <p className={styles.label}>
          {label} {filling?.full && <Pill tone="jade">{t('team.full')}</Pill>}
        </p>
        <p className={styles.count}>{filling ? t('team.ofCapacity', filling) : <Skeleton>00 / 000</Skeleton>}</p>
      </div>
      <div className={styles.bar} aria-hidden="true">
        <div className={styles.taken} style={{ inlineSize: `${share * 100}%` }} />
      </div>
    </div>
  )
}
