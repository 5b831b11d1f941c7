import type { DataOf } from '@lode/wire'
import { useEffect, useState } from 'react'
import {
  createChainReader,
  estimateNetworkFee,
  firstTransaction,
  formatNetworkFee,
  type PaymentTerms,
  type WalletReadiness,
  type WalletRequest,
} from '../../chain/payment/index.ts'
import { useText } from '../../shared/i18n/index.ts'
import type { SurveyState } from './use-survey.ts'

/** The node is asked when the member has stopped typing the amount. */
const TYPING_PAUSE_MS = 300

type FeeQuestion = {
  readonly readiness: WalletReadiness
  readonly surveyed: SurveyState
  readonly chain: DataOf<'pool/chain'> | undefined
  /** Null while no payable amount is known. */
  readonly terms: PaymentTerms | null
  readonly requests: readonly WalletRequest[]
}

/**
 * What the app says about the network fee. `text` is the estimate of the wallet's node where there is one; otherwise it
 * says that the wallet shows the fee. `missing` says that the wallet has too little to pay it.
 */
export function useNetworkFee({ readiness, surveyed, chain, terms, requests }: FeeQuestion): {
  readonly text: string
  readonly missing: string | null
} {
  const t = useText()
  const ether = surveyed.kind === 'read' ? surveyed.survey.ether : null
  const isPayment = requests[0] === 'pay'
  const fee = useEstimate(
    readiness.kind === 'ready' ? readiness.wallet.provider : null,
    ether === null ? null : terms,
    requests,
  )
  if (!chain) return { text: t('deposit.networkFeeText'), missing: null }
  const { symbol, decimals } = chain.currency
  const amount = fee === null ? '' : `${formatNetworkFee(fee, decimals)}\u00a0${symbol}`
  return {
    text:
      fee === null
        ? t('deposit.networkFeeText')
        : t(isPayment ? 'deposit.networkFeeAbout' : 'deposit.networkFeeOfApproval', { fee: amount }),
    missing:
      ether === 0n
        ? t('deposit.noFee', { currency: symbol })
        : fee !== null && ether !== null && ether < fee
          ? t('deposit.lowFee', { currency: symbol, fee: amount })
          : null,
  }
}

/** The estimate of the first transaction's fee. While a new one is awaited, the old one of the same function is shown. */
function useEstimate(
  provider: Parameters<typeof createChainReader>[0] | null,
  terms: PaymentTerms | null,
  requests: readonly WalletRequest[],
): bigint | null {
  const [estimate, setEstimate] = useState<{ readonly selector: string; readonly fee: bigint | null } | null>(null)
  const account = terms?.account
  const { to, data } = (terms && firstTransaction(terms, requests)) ?? {}
  const selector = data?.slice(0, 10)

  useEffect(() => {
    if (!provider || !account || !to || !data) return
    let isCurrent = true
    const timer = setTimeout(async () => {
      const fee = await estimateNetworkFee(createChainReader(provider), { to, data }, account)
      if (isCurrent) setEstimate({ selector: data.slice(0, 10), fee })
    }, TYPING_PAUSE_MS)
    return () => {
      isCurrent = false
      clearTimeout(timer)
    }
  }, [provider, account, to, data])

  return estimate && estimate.selector === selector ? estimate.fee : null
}
