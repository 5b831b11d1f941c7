import type { ReactNode } from 'react'
import { useBack } from '../routing/index.ts'
import { RefreshButton } from './RefreshButton.tsx'
import { Segmented } from './Segmented.tsx'
import { TopBar } from './TopBar.tsx'
import { View } from './View.tsx'

/** The parts of a page, and which one is shown. */
export type Tabs<Part extends string> = {
  readonly label: string
  readonly value: Part
  readonly options: readonly { value: Part; text: string }[]
  readonly onValue: (part: Part) => void
}

type TabbedViewProps<Part extends string> = {
  title: string
  /** Where the back button leads if the app was opened on this page. */
  above: string
  tabs: Tabs<Part>
  /** Refreshes the part that is shown. */
  onRefresh: () => Promise<unknown>
  children: ReactNode
}

/** A page with several parts, one of which is shown. */
export function TabbedView<Part extends string>({ title, above, tabs, onRefresh, children }: TabbedViewProps<Part>) {
  return (
    <View
      onRefresh={onRefresh}
      top={<TopBar title={title} onBack={useBack(above)} end={<RefreshButton onRefresh={onRefresh} />} />}
    >
      <Segmented labelHidden {...tabs} />
      {children}
    </View>
  )
}
