import { type ReactNode, useState } from 'react'
import { useText } from '../../shared/i18n/index.ts'
import { useBack, type ViewProps } from '../../shared/routing/index.ts'
import { RefreshButton, Segmented, TopBar, View } from '../../shared/ui/index.ts'
import { HistoryPart } from './HistoryPart.tsx'
import { PartnerPart } from './PartnerPart.tsx'
import { PaymentsPart } from './PaymentsPart.tsx'
import { PlanPart } from './PlanPart.tsx'
import { usePartner, usePlan, usePlanHistory, usePoolPayments } from './use-dao.ts'

const parts = ['plan', 'history', 'payments', 'partner'] as const
type Part = (typeof parts)[number]

/** What the pool has bound itself to, what it changed, what its own accounts paid, and the way to become a partner. */
export function DaoView({ query }: ViewProps) {
  const [part, setPart] = useState<Part>(parts.find((one) => one === query.show) ?? 'plan')
  const tabs = <Tabs part={part} onPart={setPart} />
  switch (part) {
    case 'plan':
      return <PlanScreen tabs={tabs} />
    case 'history':
      return <HistoryScreen tabs={tabs} />
    case 'payments':
      return <PaymentsScreen tabs={tabs} />
    case 'partner':
      return <PartnerScreen tabs={tabs} />
  }
}

type Tabbed = { tabs: ReactNode }

function PlanScreen({ tabs }: Tabbed) {
  const plan = usePlan()
  return (
    <Screen tabs={tabs} onRefresh={plan.refetch}>
      <PlanPart query={plan} />
    </Screen>
  )
}

function HistoryScreen({ tabs }: Tabbed) {
  const history = usePlanHistory()
  return (
    <Screen tabs={tabs} onRefresh={history.refetch}>
      <HistoryPart list={history} />
    </Screen>
  )
}

function PaymentsScreen({ tabs }: Tabbed) {
  const payments = usePoolPayments()
  return (
    <Screen tabs={tabs} onRefresh={payments.refetch}>
      <PaymentsPart list={payments} />
    </Screen>
  )
}

function PartnerScreen({ tabs }: Tabbed) {
  const partner = usePartner()
  return (
    <Screen tabs={tabs} onRefresh={partner.refetch}>
      <PartnerPart query={partner} />
    </Screen>
  )
}

type ScreenProps = Tabbed & { onRefresh: () => Promise<unknown>; children: ReactNode }

function Screen({ tabs, onRefresh, children }: ScreenProps) {
  const t = useText()
  const back = useBack('/setting')
  return (
    <View
      onRefresh={onRefresh}
      top={<TopBar title={t('shell.titles.dao')} onBack={back} end={<RefreshButton onRefresh={onRefresh} />} />}
    >
      {tabs}
      {children}
    </View>
  )
}

function Tabs({ part, onPart }: { part: Part; onPart: (part: Part) => void }) {
  const t = useText()
  return (
    <Segmented
      labelHidden
      label={t('dao.show')}
      value={part}
      options={parts.map((value) => ({ value, text: t(`dao.tabs.${value}`) }))}
      onValue={onPart}
    />
  )
}
