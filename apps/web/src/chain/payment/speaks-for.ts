import { session } from '../../shared/session/index.ts'
import type { Intent } from './payment.ts'

/**
 * Whether the session belongs to the payment's account. If not, only the chain is read: the server would answer for
 * another member.
 */
export const speaksFor = ({ account }: Intent): boolean =>
  session.get().account?.toLowerCase() === account.toLowerCase()
