import { ChevronsUp, Diamond, House, Network, Wallet } from 'lucide-react'
import { useText } from '../shared/i18n/index.ts'
import { useSession } from '../shared/session/index.ts'
import { type ViewName, views } from './views.ts'

/** The main sections, in display order. `exit`: an exit session sees it too. */
const sections = [
  { view: 'home', text: 'navigation.home', Icon: House, exit: false },
  { view: 'wallet', text: 'navigation.wallet', Icon: Wallet, exit: true },
  { view: 'promotion', text: 'navigation.promotion', Icon: ChevronsUp, exit: true },
  { view: 'pledge', text: 'navigation.pledge', Icon: Diamond, exit: true },
  { view: 'teams', text: 'navigation.teams', Icon: Network, exit: false },
] as const

/** The links to the main sections that this session may open. */
export function useSections(active: ViewName) {
  const t = useText()
  const isExitSession = useSession(({ exit }) => exit)
  return sections
    .filter(({ exit }) => exit || !isExitSession)
    .map(({ view, text, Icon }) => ({
      view,
      Icon,
      name: t(text),
      path: views[view].path,
      current: ariaCurrentOf(view, active),
    }))
}

/** The value of `aria-current`: `page` on the section's first page, `true` on a page below it. */
export function ariaCurrentOf(view: ViewName, active: ViewName): 'page' | 'true' | undefined {
  if (view === active) return 'page'
  return views[active].path.startsWith(`${views[view].path}/`) ? 'true' : undefined
}
