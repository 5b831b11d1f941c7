import { useState } from 'react'
import { useText } from '../../shared/i18n/index.ts'
import type { ViewProps } from '../../shared/routing/index.ts'
import { TabbedView, type Tabs } from '../../shared/ui/index.ts'
import { DaysPart } from './DaysPart.tsx'
import { RecordsPart } from './RecordsPart.tsx'
import { type PledgeRecordFilters, useCheckedDays, usePledgeRecords } from './use-pledge-detail.ts'

const detailTabs = ['records', 'days'] as const
type DetailTab = (typeof detailTabs)[number]

/** The member's pledges, and the dividend of each day. */
export function PledgeDetailView({ query }: ViewProps) {
  const [show, setShow] = useState<DetailTab>(query.show === 'days' ? 'days' : 'records')
  const t = useText()
  const screenProps = {
    title: t('shell.titles.pledgeDetail'),
    above: '/pledge',
    tabs: {
      label: t('pledge.detail.show'),
      value: show,
      options: detailTabs.map((value) => ({ value, text: t(`pledge.detail.${value}`) })),
      onValue: setShow,
    },
  }
  return show === 'records' ? <RecordsScreen {...screenProps} /> : <DaysScreen {...screenProps} />
}

type DetailScreenProps = { title: string; above: string; tabs: Tabs<DetailTab> }

function RecordsScreen(props: DetailScreenProps) {
  const [filters, setFilters] = useState<PledgeRecordFilters>({})
  const list = usePledgeRecords(filters)
  return (
    <TabbedView {...props} onRefresh={() => list.refetch()}>
      <RecordsPart list={list} filters={filters} onFilters={setFilters} />
    </TabbedView>
  )
}

function DaysScreen(props: DetailScreenProps) {
  const days = useCheckedDays()
  return (
    <TabbedView {...props} onRefresh={() => days.list.refetch()}>
      <DaysPart {...days} />
    </TabbedView>
  )
}
