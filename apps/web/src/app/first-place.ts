import { session } from '../shared/session/index.ts'
import { decide } from './guard.ts'
import type { ViewName } from './views.ts'

/** Follows the guard from the address that the app was opened with, before anything is drawn or loaded for it. */
export function settleFirstPlace(): ViewName {
  for (;;) {
    const decision = decide(window.location, session.get())
    if (decision.kind === 'show') return decision.view
    window.history.replaceState(null, '', decision.to)
  }
}
