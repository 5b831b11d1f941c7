import type { Asset } from '@lode/kernel'
import type { DataOf } from '@lode/wire'
import { useCallback, useEffect, useState } from 'react'
import type { Address } from 'viem'
import {
  createChainReader,
  readSurvey,
  type Survey,
  type SurveyPart,
  surveyParts,
  type WalletReadiness,
} from '../../chain/payment/index.ts'

export type SurveyState =
  | { readonly kind: 'reading' }
  /** The parts that could not be read. */
  | { readonly kind: 'unread'; readonly parts: readonly SurveyPart[] }
  | { readonly kind: 'read'; readonly survey: Survey }

/**
 * The survey of the token and the member's wallet, read when the wallet is ready. `refresh` reads again and shows the
 * old survey until then; `readAgain` shows that it is reading.
 */
export function useSurvey(
  readiness: WalletReadiness,
  chain: DataOf<'pool/chain'> | undefined,
  account: string,
  symbol: Asset,
) {
  const [surveyed, setSurveyed] = useState<SurveyState>({ kind: 'reading' })
  const provider = readiness.kind === 'ready' ? readiness.wallet.provider : null

  const read = useCallback(async (): Promise<SurveyState> => {
    if (!provider || !chain) return { kind: 'reading' }
    try {
      const survey = await readSurvey(createChainReader(provider), {
        account: account as Address,
        chainId: chain.chainId,
        vault: chain.vault as Address,
        token: chain.tokens[symbol].address as Address,
      })
      return survey.ok ? { kind: 'read', survey: survey.value } : { kind: 'unread', parts: survey.error }
    } catch (error) {
      // This is a bug, so it is reported for developers. The member must not wait for an answer that never comes.
      globalThis.reportError?.(error)
      return { kind: 'unread', parts: surveyParts }
    }
  }, [provider, chain, account, symbol])

  useEffect(() => {
    let isCurrent = true
    setSurveyed({ kind: 'reading' })
    void read().then((state) => isCurrent && setSurveyed(state))
    return () => {
      isCurrent = false
    }
  }, [read])

  const refresh = useCallback(async () => {
    const state = await read()
    setSurveyed(state)
    return state
  }, [read])
  const readAgain = useCallback(async () => {
    setSurveyed({ kind: 'reading' })
    await refresh()
  }, [refresh])
  return { surveyed, refresh, readAgain }
}
