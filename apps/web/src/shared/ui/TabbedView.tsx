import type { ReactNode } from 'react'
import { useBack } from '../routing/index.ts'
import { RefreshButton } from './RefreshButton.tsx'
import { Segmented } from './Segmented.tsx'
import { TopBar } from './TopBar.tsx'
import { View } from './View.tsx'

/** Which part of a page is shown, and the others. */
export type Tabs<Part extends string> = {
  readonly label: string
  readonly value: Part
  readonly options: readonly { value: Part; text: string }[]
  readonly onValue: (part: Part) => void
}

type TabbedViewProps<Part extends string> = {
  title: string
  /** Where back leads from a page that was opened cold. */
  above: string
  tabs: Tabs<Part>
  /** Of the part that is shown. */
  onRefresh: () => Promise<unknown>
  children: ReactNode
}

/** A page of several parts of which one is shown. */
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
