import { CircleCheck } from 'lucide-react'
import { useChain } from '../../shared/api/index.ts'
import { useText } from '../../shared/i18n/index.ts'
import { PagedList } from '../../shared/list/index.ts'
import { Note } from '../../shared/ui/index.ts'
import { dayProduction, ProductionChart } from '../production/index.ts'
import { DayLine } from './DayLine.tsx'
import styles from './detail.module.css'
import type { ShownDay, useCheckedDays } from './use-pledge-detail.ts'

type DaysPartProps = ReturnType<typeof useCheckedDays>

/** Every closed day with the member's dividend, and whether this browser computes the same. */
export function DaysPart({ list, days, olderDiffer }: DaysPartProps) {
  const t = useText()
  const { data: chain } = useChain()
  const isMissing = !days && (list.isPaused || list.error !== null)
  return (
    <>
      {!isMissing && days?.length !== 0 && (
        <ProductionChart
          days={days?.map(({ figures, line }) => ({
            day: figures.day,
            shared: dayProduction(figures),
            own: line?.amount ?? 0n,
          }))}
          decimals={chain?.tokens.BTC.decimals ?? 0}
        />
      )}
      <div role="status">
        {days && days.length > 0 && <Verdict days={days} olderDiffer={olderDiffer === true} />}
        {!days && !isMissing && <p className={styles.small}>{t('pledge.table.checking')}</p>}
      </div>
      <PagedList
        list={list}
        items={days}
        texts={{
          failed: t('pledge.table.failed'),
          offline: t('pledge.table.offlineText'),
          empty: t('pledge.table.empty'),
        }}
        waiting={4}
        line={(day, index) => <DayLine key={day?.figures.day ?? index} day={day} chain={chain} />}
      />
      {days && days.length > 0 && <p className={styles.about}>{t('pledge.table.about')}</p>}
    </>
  )
}

function Verdict({ days, olderDiffer }: { days: readonly ShownDay[]; olderDiffer: boolean }) {
  const t = useText()
  const number = days.filter(({ check }) => check.kind !== 'checked').length
  if (number === 0 && !olderDiffer)
    return (
      <p className={styles.verdict}>
        <CircleCheck size={18} aria-hidden="true" />
        {t('pledge.table.allChecked', { count: days.length })}
      </p>
    )
  return (
    <Note tone="rose">
      {number > 0 && <p>{t('pledge.table.someDiffer', { count: number, days: days.length })}</p>}
      {olderDiffer && <p>{t('pledge.table.olderDiffer')}</p>}
    </Note>
  )
}
