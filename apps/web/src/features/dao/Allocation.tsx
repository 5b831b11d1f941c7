import { allocationParts } from '@lode/wire'
import { formatShare } from '../../shared/format/index.ts'
import { useText } from '../../shared/i18n/index.ts'
import { Card, ShareBar, ShareSwatch } from '../../shared/ui/index.ts'
import styles from './Allocation.module.css'
import type { Plan } from './use-dao.ts'

/** Where the price of a promotion goes: as one bar, and as a list of parts that add up to the whole. */
export function Allocation({
  plan: { allocation, upLevelLayers },
}: {
  plan: Pick<Plan, 'allocation' | 'upLevelLayers'>
}) {
  const t = useText()
  const each = formatShare(allocation.upLevel / upLevelLayers)
  const parts = allocationParts.map((part) => ({ part, basisPoints: allocation[part] }))
  const words = { layers: upLevelLayers, each }
  return (
    <Card title={t('dao.allocation')}>
      <p className={styles.text}>{t('dao.allocationText')}</p>
      <ShareBar parts={parts} />
      <ul className={styles.parts} aria-label={t('dao.allocation')}>
        {parts.map(({ part, basisPoints }) => (
          <li key={part} className={styles.part}>
            <ShareSwatch part={part} />
            <span className={styles.partWords}>
              <span className={styles.partName}>{t(`dao.parts.${part}`)}</span>
              <span className={styles.partText}>{t(`dao.partTexts.${part}`, words)}</span>
            </span>
            <span className={styles.share}>{formatShare(basisPoints)}</span>
          </li>
        ))}
        <li className={styles.sum}>
          <span>{t('dao.allTogether')}</span>
          <span className={styles.share}>
            {formatShare(parts.reduce((sum, { basisPoints }) => sum + basisPoints, 0))}
          </span>
        </li>
      </ul>
    </Card>
  )
}
