import type { Asset } from '@lode/kernel'
import type { DataOf } from '@lode/wire'
import { useCallback, useEffect, useState } from 'react'
import type { Address } from 'viem'
import { chainOf, type Payer, type Survey, surveyOf } from '../../chain/payment/index.ts'

export type Surveyed =
  | { readonly kind: 'reading' }
  | { readonly kind: 'no-node' }
  | { readonly kind: 'read'; readonly survey: Survey }

/** What the chain says of the token and the member's wallet: read when the wallet is ready, and again on demand. */
export function useSurvey(payer: Payer, chain: DataOf<'pool/chain'> | undefined, account: string, symbol: Asset) {
  const [surveyed, setSurveyed] = useState<Surveyed>({ kind: 'reading' })
  const provider = payer.kind === 'ready' ? payer.wallet.provider : null

  const read = useCallback(async (): Promise<Surveyed> => {
    if (!provider || !chain) return { kind: 'reading' }
    const survey = await surveyOf(chainOf(provider), {
      account: account as Address,
      chainId: chain.chainId,
      vault: chain.vault as Address,
      token: chain.tokens[symbol].address as Address,
    })
    return survey.ok ? { kind: 'read', survey: survey.value } : { kind: 'no-node' }
  }, [provider, chain, account, symbol])

  useEffect(() => {
    let wanted = true
    setSurveyed({ kind: 'reading' })
    void read().then((now) => wanted && setSurveyed(now))
    return () => {
      wanted = false
    }
  }, [read])

  const again = useCallback(async () => {
    const now = await read()
    setSurveyed(now)
    return now
  }, [read])
  return { surveyed, again }
}
