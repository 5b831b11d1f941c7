import { useState } from 'react'
import { useText } from '../../shared/i18n/index.ts'
import type { ViewProps } from '../../shared/routing/index.ts'
import { TabbedView, type Tabs } from '../../shared/ui/index.ts'
import { HistoryPart } from './HistoryPart.tsx'
import { PartnerPart } from './PartnerPart.tsx'
import { PaymentsPart } from './PaymentsPart.tsx'
import { PlanPart } from './PlanPart.tsx'
import { useAnnouncements, usePartnerStatus, usePlan, usePlanHistory, usePoolPayments } from './use-dao.ts'
import { VaultPart } from './VaultPart.tsx'

const parts = ['plan', 'history', 'payments', 'partner', 'vault'] as const
type Part = (typeof parts)[number]

const partNamed = (name: string | undefined): Part | undefined => parts.find((one) => one === name)

/** The pool and plan page: the plan, its history, treasury payments, the partner application and the vault. */
export function DaoView({ query }: ViewProps) {
  const [part, setPart] = useState<Part>(partNamed(query.show) ?? 'plan')
  // The view stays open behind others. A link that names a part shows that part.
  const [linked, setLinked] = useState(query.show)
  if (query.show !== linked) {
    setLinked(query.show)
    setPart(partNamed(query.show) ?? part)
  }
  const t = useText()
  const screenProps = {
    title: t('shell.titles.dao'),
    above: '/setting',
    tabs: {
      label: t('dao.show'),
      value: part,
      options: parts.map((value) => ({ value, text: t(`dao.tabs.${value}`) })),
      onValue: setPart,
    },
  }
  switch (part) {
    case 'plan':
      return <PlanScreen {...screenProps} />
    case 'history':
      return <HistoryScreen {...screenProps} />
    case 'payments':
      return <PaymentsScreen {...screenProps} />
    case 'partner':
      return <PartnerScreen {...screenProps} />
    case 'vault':
      return <VaultScreen {...screenProps} />
  }
}

type DaoScreenProps = { title: string; above: string; tabs: Tabs<Part> }

function PlanScreen(props: DaoScreenProps) {
  const plan = usePlan()
  return (
    <TabbedView {...props} onRefresh={plan.refetch}>
      <PlanPart query={plan} />
    </TabbedView>
  )
}

function HistoryScreen(props: DaoScreenProps) {
  const history = usePlanHistory()
  return (
    <TabbedView {...props} onRefresh={history.refetch}>
      <HistoryPart list={history} />
    </TabbedView>
  )
}

function PaymentsScreen(props: DaoScreenProps) {
  const payments = usePoolPayments()
  return (
    <TabbedView {...props} onRefresh={payments.refetch}>
      <PaymentsPart list={payments} />
    </TabbedView>
  )
}

function PartnerScreen(props: DaoScreenProps) {
  const partner = usePartnerStatus()
  return (
    <TabbedView {...props} onRefresh={partner.refetch}>
      <PartnerPart query={partner} />
    </TabbedView>
  )
}

function VaultScreen(props: DaoScreenProps) {
  const announcements = useAnnouncements()
  return (
    <TabbedView {...props} onRefresh={announcements.refetch}>
      <VaultPart query={announcements} />
    </TabbedView>
  )
}
