import { memo, useState } from 'react'
import { formatMonth } from '../../shared/format/index.ts'
import { useLanguage, useText } from '../../shared/i18n/index.ts'
import { Field, Select } from '../../shared/ui/index.ts'
import { useProfile } from '../profile/index.ts'
import styles from './PeriodPicker.module.css'
import {
  completePeriod,
  FIRST_DAY,
  LAST_DAY,
  listMonths,
  type Period,
  type PeriodChoice,
  periodOfMonth,
} from './period.ts'

const ALL = ''
const ENTERED = 'entered'

type PeriodPickerProps = {
  onPeriod: (period: PeriodChoice) => void
}

/** Chooses all days, a month, or days that the member enters. */
export const PeriodPicker = memo(function PeriodPicker({ onPeriod }: PeriodPickerProps) {
  const t = useText()
  const language = useLanguage()
  const [chosen, setChosen] = useState(ALL)
  const [entered, setEntered] = useState<Period>({ from: '', to: '' })
  const { data: profile } = useProfile()
  const since = profile && Date.parse(profile.registeredAt)
  const [thisMonth, lastMonth, ...earlier] = listMonths(Date.now(), since).map(({ key, first }) => ({
    value: key,
    text: formatMonth(first, language),
  }))

  function choose(value: string): void {
    setChosen(value)
    if (value === ALL) onPeriod('all')
    else onPeriod(value === ENTERED ? completePeriod(entered) : periodOfMonth(value))
  }

  function enter(days: Period): void {
    setEntered(days)
    onPeriod(completePeriod(days))
  }

  return (
    <div className={styles.picker}>
      <Select
        label={t('wallet.period.label')}
        value={chosen}
        options={[
          { value: ALL, text: t('wallet.period.all') },
          ...(thisMonth ? [{ ...thisMonth, text: t('wallet.period.thisMonth', { month: thisMonth.text }) }] : []),
          ...(lastMonth ? [{ ...lastMonth, text: t('wallet.period.lastMonth', { month: lastMonth.text }) }] : []),
          ...earlier,
          { value: ENTERED, text: t('wallet.period.entered') },
        ]}
        onValue={choose}
      />
      {chosen === ENTERED && (
        <div className={styles.days}>
          <Field
            type="date"
            min={FIRST_DAY}
            max={LAST_DAY}
            label={t('wallet.period.from')}
            value={entered.from}
            onValue={(from) => enter({ ...entered, from })}
          />
          <Field
            type="date"
            min={FIRST_DAY}
            max={LAST_DAY}
            label={t('wallet.period.to')}
            value={entered.to}
            onValue={(to) => enter({ ...entered, to })}
            error={entered.from && entered.to && entered.to < entered.from ? t('wallet.period.order') : undefined}
          />
        </div>
      )}
    </div>
  )
})
