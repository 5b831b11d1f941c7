import type { WalletReadiness } from '../../chain/payment/index.ts'
import type { SurveyState } from '../payment/index.ts'

/** Why the wallet cannot pay now. That it holds too little of the token is not among them. */
export type WalletObstacle =
  | 'absent'
  | 'unreachable'
  | 'other-account'
  | 'other-network'
  | 'unread'
  | 'vault-paused'
  | 'no-fee'

/** Null if nothing is known to be in the way, also while the wallet is being read. */
export function findWalletObstacle(readiness: WalletReadiness, surveyed: SurveyState): WalletObstacle | null {
  switch (readiness.kind) {
    case 'looking':
      return null
    case 'locked':
    case 'silent':
      return 'unreachable'
    case 'absent':
    case 'other-account':
    case 'other-network':
      return readiness.kind
    case 'ready':
      break
  }
  if (surveyed.kind !== 'read') return surveyed.kind === 'unread' ? 'unread' : null
  if (surveyed.survey.vaultPaused) return 'vault-paused'
  return surveyed.survey.ether === 0n ? 'no-fee' : null
}
