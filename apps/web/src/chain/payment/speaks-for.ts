import { session } from '../../shared/session/index.ts'
import type { Intent } from './payment.ts'

/** Without a session the chain alone is asked; the session of somebody else would answer for somebody else. */
export const speaksFor = ({ account }: Intent): boolean =>
  session.get().account?.toLowerCase() === account.toLowerCase()
