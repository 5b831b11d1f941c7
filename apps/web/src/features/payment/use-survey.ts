import type { Asset } from '@lode/kernel'
import type { DataOf } from '@lode/wire'
import { useCallback, useEffect, useState } from 'react'
import type { Address } from 'viem'
import { chainOf, type Payer, type Survey, type SurveyPart, surveyOf, surveyParts } from '../../chain/payment/index.ts'

export type Surveyed =
  | { readonly kind: 'reading' }
  /** The parts that could not be read. */
  | { readonly kind: 'unread'; readonly parts: readonly SurveyPart[] }
  | { readonly kind: 'read'; readonly survey: Survey }

/**
 * The survey of the token and the member's wallet, read when the wallet is ready. `refresh` reads again and shows the
 * old survey until then; `readAgain` shows that it is reading.
 */
export function useSurvey(payer: Payer, chain: DataOf<'pool/chain'> | undefined, account: string, symbol: Asset) {
  const [surveyed, setSurveyed] = useState<Surveyed>({ kind: 'reading' })
  const provider = payer.kind === 'ready' ? payer.wallet.provider : null

  const read = useCallback(async (): Promise<Surveyed> => {
    if (!provider || !chain) return { kind: 'reading' }
    try {
      const survey = await surveyOf(chainOf(provider), {
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
    let wanted = true
    setSurveyed({ kind: 'reading' })
    void read().then((now) => wanted && setSurveyed(now))
    return () => {
      wanted = false
    }
  }, [read])

  const refresh = useCallback(async () => {
    const now = await read()
    setSurveyed(now)
    return now
  }, [read])
  const readAgain = useCallback(async () => {
    setSurveyed({ kind: 'reading' })
    await refresh()
  }, [refresh])
  return { surveyed, refresh, readAgain }
}
