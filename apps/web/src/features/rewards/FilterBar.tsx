import { rewardStatuses, rewardTypes } from '@lode/wire'
import { useText } from '../../shared/i18n/index.ts'
import { Select } from '../../shared/ui/index.ts'
import styles from './rewards.module.css'
import type { RewardFilters } from './use-rewards.ts'

const ALL = ''

type FilterBarProps = { filters: RewardFilters; onFilters: (filters: RewardFilters) => void }

export function FilterBar({ filters, onFilters }: FilterBarProps) {
  const t = useText()
  const { type, status } = filters
  const types = rewardTypes.map((value) => ({ value, text: t(`wallet.types.${value}`) }))
  const statuses = rewardStatuses.map((value) => ({ value, text: t(`rewards.statuses.${value}`) }))
  return (
    <div className={styles.filters}>
      <Select
        label={t('rewards.typeFilter')}
        value={type ?? ALL}
        options={[{ value: ALL, text: t('rewards.allTypes') }, ...types]}
        onValue={(chosen) => onFilters({ ...(status && { status }), ...(chosen && { type: chosen }) })}
      />
      <Select
        label={t('rewards.statusFilter')}
        value={status ?? ALL}
        options={[{ value: ALL, text: t('rewards.allStatuses') }, ...statuses]}
        onValue={(chosen) => onFilters({ ...(type && { type }), ...(chosen && { status: chosen }) })}
      />
    </div>
  )
}
