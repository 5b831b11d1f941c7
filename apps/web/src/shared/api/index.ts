import { useQuery } from '@tanstack/react-query'
import { config } from 'zod/mini'
import { text } from '../i18n/index.ts'
import { toast } from '../notify/index.ts'
import { session } from '../session/index.ts'
import { createActivity } from './activity.ts'
import { createApi, REQUEST_TIMEOUT_MS } from './client.ts'
import { createQueries } from './queries.ts'

// The page's security policy forbids code made from strings, which zod would otherwise try on first use.
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
})

export const { call } = api
export const { queryClient, read, readPages, fetchRead } = createQueries(api)

/** The chain that the pool lives on, which does not change while the page is open. */
export const useChain = () => useQuery({ ...read('pool/chain', {}), staleTime: Number.POSITIVE_INFINITY })

/** Ends here at once, also when the server cannot be told: what counts is that nobody can go on from this browser. */
export function logOut(): void {
  // The call takes the token with it before the token is gone.
  void call('account/logout', {}, { quiet: true, keepalive: true })
  session.signOut()
}

/** From here on a touch or a key counts as the member being there. */
export function watchActivity(): void {
  for (const event of ['pointerdown', 'keydown'] as const)
    window.addEventListener(event, activity.touch, { capture: true, passive: true })
}

export { errorText, type Failure, failureText, refusalOf } from './failure.ts'
export { ORDER_READS } from './order-reads.ts'
