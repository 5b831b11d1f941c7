import { useState } from 'react'
import { useText } from '../../shared/i18n/index.ts'
import type { ViewProps } from '../../shared/routing/index.ts'
import { TabbedView, type Tabs } from '../../shared/ui/index.ts'
import { DaysPart } from './DaysPart.tsx'
import { RecordsPart } from './RecordsPart.tsx'
import { type RecordFilters, useDays, useRecords } from './use-detail.ts'

const shows = ['records', 'days'] as const
type Show = (typeof shows)[number]

/** The member's pledges, and the dividend of each day. */
export function PledgeDetailView({ query }: ViewProps) {
  const [show, setShow] = useState<Show>(query.show === 'days' ? 'days' : 'records')
  const t = useText()
  const shown = {
    title: t('shell.titles.pledgeDetail'),
    above: '/pledge',
    tabs: {
      label: t('pledge.detail.show'),
      value: show,
      options: shows.map((value) => ({ value, text: t(`pledge.detail.${value}`) })),
      onValue: setShow,
    },
  }
  return show === 'records' ? <Records {...shown} /> : <Days {...shown} />
}

type Shown = { title: string; above: string; tabs: Tabs<Show> }

function Records(shown: Shown) {
  const [filters, setFilters] = useState<RecordFilters>({})
  const list = useRecords(filters)
  return (
    <TabbedView {...shown} onRefresh={() => list.refetch()}>
      <RecordsPart list={list} filters={filters} onFilters={setFilters} />
    </TabbedView>
  )
}

function Days(shown: Shown) {
  const days = useDays()
  return (
    <TabbedView {...shown} onRefresh={() => days.list.refetch()}>
      <DaysPart {...days} />
    </TabbedView>
  )
}
