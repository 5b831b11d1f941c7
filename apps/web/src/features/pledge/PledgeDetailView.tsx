import { type ReactNode, useState } from 'react'
import { useText } from '../../shared/i18n/index.ts'
import { useBack, type ViewProps } from '../../shared/routing/index.ts'
import { RefreshButton, Segmented, TopBar, View } from '../../shared/ui/index.ts'
import { DaysPart } from './DaysPart.tsx'
import { RecordsPart } from './RecordsPart.tsx'
import { type RecordFilters, useDays, useRecords } from './use-detail.ts'

const shows = ['records', 'days'] as const
type Show = (typeof shows)[number]

/** What was pledged, and what each day brought. */
export function PledgeDetailView({ query }: ViewProps) {
  const [show, setShow] = useState<Show>(query.show === 'days' ? 'days' : 'records')
  const tabs = <Tabs show={show} onShow={setShow} />
  return show === 'records' ? <Records tabs={tabs} /> : <Days tabs={tabs} />
}

function Records({ tabs }: { tabs: ReactNode }) {
  const [filters, setFilters] = useState<RecordFilters>({})
  const list = useRecords(filters)
  return (
    <Screen tabs={tabs} onRefresh={() => list.refetch()}>
      <RecordsPart list={list} filters={filters} onFilters={setFilters} />
    </Screen>
  )
}

function Days({ tabs }: { tabs: ReactNode }) {
  const days = useDays()
  return (
    <Screen tabs={tabs} onRefresh={() => days.list.refetch()}>
      <DaysPart {...days} />
    </Screen>
  )
}

type ScreenProps = { tabs: ReactNode; onRefresh: () => Promise<unknown>; children: ReactNode }

function Screen({ tabs, onRefresh, children }: ScreenProps) {
  const t = useText()
  const back = useBack('/pledge')
  return (
    <View
      onRefresh={onRefresh}
      top={
        <TopBar title={t('shell.titles.pledgeDetail')} onBack={back} end={<RefreshButton onRefresh={onRefresh} />} />
      }
    >
      {tabs}
      {children}
    </View>
  )
}

function Tabs({ show, onShow }: { show: Show; onShow: (show: Show) => void }) {
  const t = useText()
  return (
    <Segmented
      labelHidden
      label={t('pledge.detail.show')}
      value={show}
      options={shows.map((value) => ({ value, text: t(`pledge.detail.${value}`) }))}
      onValue={onShow}
    />
  )
}
