import type { Asset } from '@lode/kernel'
import { listRequests, type WalletRequest } from '../../chain/payment/index.ts'
import { useChain } from '../../shared/api/index.ts'
import { session } from '../../shared/session/index.ts'
import { useSurvey, useWalletReadiness } from '../payment/index.ts'
import { findWalletObstacle } from './wallet-obstacle.ts'

export type OrderWallet = ReturnType<typeof useOrderWallet>

/**
 * Whether the wallet can pay the rest of a price as soon as the order is placed, and what it will be asked. Never opens
 * the wallet. `online` is null if the input is wrong.
 */
export function useOrderWallet(symbol: Asset, online: bigint | null) {
  const account = session.get().account ?? ''
  const { data: chain } = useChain()
  const { readiness } = useWalletReadiness(account, chain?.chainId)
  const { surveyed } = useSurvey(readiness, chain, account, symbol)
  const isNeeded = online !== null && online > 0n
  const survey = isNeeded && surveyed.kind === 'read' ? surveyed.survey : null
  /** What the wallet holds, if that is less than what it has to pay. */
  const tooLittle = survey && online !== null && survey.balance < online ? survey.balance : null
  const canPay = survey !== null && tooLittle === null && !survey.vaultPaused && survey.ether > 0n
  const requests: readonly WalletRequest[] | null =
    canPay && online !== null ? listRequests(survey, online, { repeated: false, permits: true }) : null
  return {
    account,
    chain,
    isReading:
      isNeeded && (readiness.kind === 'looking' || (readiness.kind === 'ready' && surveyed.kind === 'reading')),
    tooLittle,
    obstacle: isNeeded ? findWalletObstacle(readiness, surveyed) : null,
    /** Null if the wallet cannot pay now. Then the order is placed first, and paid from its own sheet. */
    requests,
  }
}
