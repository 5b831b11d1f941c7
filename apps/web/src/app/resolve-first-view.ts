import { session } from '../shared/session/index.ts'
import { decideView } from './guard.ts'
import type { ViewName } from './views.ts'

/** Applies the guard's redirects to the address with which the app was opened, before anything is drawn or loaded. */
export function resolveFirstView(): ViewName {
  for (;;) {
    const decision = decideView(window.location, session.get())
    if (decision.kind === 'show') return decision.view
    window.history.replaceState(null, '', decision.to)
  }
}
