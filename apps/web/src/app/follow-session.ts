import { call, queryClient } from '../shared/api/index.ts'
import { session } from '../shared/session/index.ts'

/** Side effects of a change of the session, apart from the screen. */
export function followSession(): void {
  session.subscribe((now, before) => {
    if (now.token !== before.token) queryClient.clear()
    // Sign-in has already sent the language, and an exit session may not change it. A failure does no harm: the next
    // sign-in sends it again.
    else if (now.token !== null && now.lang !== before.lang && !now.exit)
      void call('account/lang', { lang: now.lang }, { quiet: true })
  })
}
