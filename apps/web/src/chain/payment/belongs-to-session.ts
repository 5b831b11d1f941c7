import { session } from '../../shared/session/index.ts'
import type { Intent } from './payment.ts'

/**
 * Whether the session belongs to the payment's account. If not, the app reads only the chain, because the server would
 * answer for another member.
 */
export const belongsToSession = ({ account }: Intent): boolean =>
  session.get().account?.toLowerCase() === account.toLowerCase()
