import { pledgeStatuses } from '@lode/wire'
import { Link } from 'react-router'
import { useText } from '../../shared/i18n/index.ts'
import { PagedList } from '../../shared/list/index.ts'
import { Select } from '../../shared/ui/index.ts'
import styles from './detail.module.css'
import { PledgeRecordLine } from './PledgeRecordLine.tsx'
import type { PledgeRecordFilters, usePledgeRecords } from './use-pledge-detail.ts'

type RecordsPartProps = {
  list: ReturnType<typeof usePledgeRecords>
  filters: PledgeRecordFilters
  onFilters: (filters: PledgeRecordFilters) => void
}

const ALL = ''

/** All pledge orders, also those that were never paid, newest first. */
export function RecordsPart({ list, filters, onFilters }: RecordsPartProps) {
  const t = useText()
  const records = list.data?.pages.flatMap(({ items }) => items)
  return (
    <>
      <Select
        label={t('pledge.detail.statusFilter')}
        value={filters.status ?? ALL}
        options={[
          { value: ALL, text: t('pledge.detail.allStatuses') },
          ...pledgeStatuses.map((value) => ({ value, text: t(`pledge.detail.statuses.${value}`) })),
        ]}
        onValue={(chosen) => onFilters(chosen === ALL ? {} : { status: chosen })}
      />
      <PagedList
        list={list}
        items={records}
        texts={{
          failed: t('pledge.detail.failed'),
          offline: t('pledge.detail.offlineText'),
          empty: filters.status ? t('pledge.detail.noMatch') : t('pledge.detail.empty'),
        }}
        whenEmpty={
          !filters.status && (
            <Link to="/pledge" className={styles.toPledge}>
              {t('pledge.detail.toPledge')}
            </Link>
          )
        }
        waiting={3}
        line={(record, index) => <PledgeRecordLine key={record?.id ?? index} record={record} />}
      />
    </>
  )
}
