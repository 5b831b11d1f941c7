import { useQuery } from '@tanstack/react-query'
import { config } from 'zod/mini'
import { text } from '../i18n/index.ts'
import { toast } from '../notify/index.ts'
import { session } from '../session/index.ts'
import { createActivity } from './activity.ts'
import { createApi, REQUEST_TIMEOUT_MS } from './client.ts'
import { createQueries } from './queries.ts'

// The page's Content Security Policy forbids code from strings. Without this setting zod would try that on first use.
config({ jitless: true })

const activity = createActivity(() => Date.now())

const api = createApi({
  baseUrl: '/api',
  session: session.get,
  expireSession: session.expire,
  toast,
  text,
  idleSeconds: activity.idleSeconds,
  now: () => Date.now(),
  timeoutMs: REQUEST_TIMEOUT_MS,
  firstReads: () => globalThis.window?.firstReads,
})

export const { call } = api

/** For the end of a session: nothing of the member stays in memory. */
export function forget(): void {
  api.forget()
  delete window.firstReads
}

export const { queryClient, read, readPages, fetchRead } = createQueries(api)

/** The pool's chain. It does not change while the page is open. */
export const useChain = () => useQuery({ ...read('pool/chain', {}), staleTime: Number.POSITIVE_INFINITY })

/**
 * Ends the session in this browser at once, even if the server cannot be reached: nobody may continue from this
 * browser.
 */
export function logOut(): void {
  // The call reads the token before signOut() removes it.
  void call('account/logout', {}, { quiet: true, keepalive: true })
  session.signOut()
}

/** From now on, each touch or key press counts as activity of the member. */
export function watchActivity(): void {
  for (const event of ['pointerdown', 'keydown'] as const)
    window.addEventListener(event, activity.touch, { capture: true, passive: true })
}

export { errorText, type Failure, failureText, refusalReason } from './failure.ts'
export { ORDER_READS } from './order-reads.ts'
export { isAnswered } from './queries.ts'
export { spread, spreadOver } from './spread.ts'
