import { SideBar } from './SideBar.tsx'
import { TabBar } from './TabBar.tsx'
import { isSignInView, type ViewName, views } from './views.ts'

/** `active`: the view that is shown. `loading`: the one that the member has opened and that still loads. */
type NavigationProps = { active: ViewName; loading: ViewName | null; isWide: boolean }

/** At the side of a wide window on every page; below the main pages on a phone. */
export function Navigation({ active, loading, isWide }: NavigationProps) {
  if (isSignInView(active)) return null
  if (isWide) return <SideBar active={active} loading={loading} />
  return views[active].tabbed && <TabBar active={active} loading={loading} />
}
