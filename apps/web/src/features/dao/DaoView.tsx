import { useState } from 'react'
import { useText } from '../../shared/i18n/index.ts'
import type { ViewProps } from '../../shared/routing/index.ts'
import { TabbedView, type Tabs } from '../../shared/ui/index.ts'
import { HistoryPart } from './HistoryPart.tsx'
import { PartnerPart } from './PartnerPart.tsx'
import { PaymentsPart } from './PaymentsPart.tsx'
import { PlanPart } from './PlanPart.tsx'
import { usePartner, usePlan, usePlanHistory, usePoolPayments } from './use-dao.ts'

const parts = ['plan', 'history', 'payments', 'partner'] as const
type Part = (typeof parts)[number]

/** The pool and plan page: the plan, its history, treasury payments and the partner application. */
export function DaoView({ query }: ViewProps) {
  const [part, setPart] = useState<Part>(parts.find((one) => one === query.show) ?? 'plan')
  const t = useText()
  const shown = {
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
      return <PlanScreen {...shown} />
    case 'history':
      return <HistoryScreen {...shown} />
    case 'payments':
      return <PaymentsScreen {...shown} />
    case 'partner':
      return <PartnerScreen {...shown} />
  }
}

type Shown = { title: string; above: string; tabs: Tabs<Part> }

function PlanScreen(shown: Shown) {
  const plan = usePlan()
  return (
    <TabbedView {...shown} onRefresh={plan.refetch}>
      <PlanPart query={plan} />
    </TabbedView>
  )
}

function HistoryScreen(shown: Shown) {
  const history = usePlanHistory()
  return (
    <TabbedView {...shown} onRefresh={history.refetch}>
      <HistoryPart list={history} />
    </TabbedView>
  )
}

function PaymentsScreen(shown: Shown) {
  const payments = usePoolPayments()
  return (
    <TabbedView {...shown} onRefresh={payments.refetch}>
      <PaymentsPart list={payments} />
    </TabbedView>
  )
}

function PartnerScreen(shown: Shown) {
  const partner = usePartner()
  return (
    <TabbedView {...shown} onRefresh={partner.refetch}>
      <PartnerPart query={partner} />
    </TabbedView>
  )
}
