import { call, queryClient } from '../shared/api/index.ts'
import { session } from '../shared/session/index.ts'

/** What a change of the session means beyond the screen. */
export function followSession(): void {
  session.subscribe((now, before) => {
    if (now.token !== before.token) queryClient.clear()
    // At sign-in the language was posted already, and a session that is only for taking assets out may not change it. A failure
    // costs nothing: the next sign-in posts it again.
    else if (now.token !== null && now.lang !== before.lang && !now.exit)
      void call('account/lang', { lang: now.lang }, { quiet: true })
  })
}
