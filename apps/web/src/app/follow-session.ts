import { call, forget, queryClient } from '../shared/api/index.ts'
import { session } from '../shared/session/index.ts'

/** Clears cached data when the member changes, and tells the server when the member chooses another language. */
export function followSession(): void {
  session.subscribe((now, before) => {
    if (now.token !== before.token) {
      queryClient.clear()
      forget()
    }
    // Sign-in has already sent the language, and an exit session may not change it. If the call fails, the next
    // sign-in sends the language.
    else if (now.token !== null && now.lang !== before.lang && !now.exit)
      void call('account/lang', { lang: now.lang }, { quiet: true })
  })
}
