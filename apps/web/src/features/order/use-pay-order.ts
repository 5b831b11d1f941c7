import type { DataOf } from '@lode/wire'
import { useRef, useState } from 'react'
import type { Address, Hex } from 'viem'
import { listRequests, type PaymentTerms, type WalletReadiness, type WalletRequest } from '../../chain/payment/index.ts'
import { useText } from '../../shared/i18n/index.ts'
import { usePoolChain } from '../../shared/pool/index.ts'
import { beginAnnouncedPayment, useNetworkFee, useSurvey, useWalletReadiness } from '../payment/index.ts'
import type { PayableOrder } from './order.ts'

const WALLET_NOT_CHECKED: WalletReadiness = { kind: 'looking' }

export type PayOrderState = ReturnType<typeof usePayOrder>

/** The state behind the pay button: the wallet, the survey and the press. Reads no wallet if there is no quote. */
export function usePayOrder(order: PayableOrder | undefined, account: string) {
  const t = useText()
  const pool = usePoolChain()
  const { chain } = pool
  const isPayable = Boolean(order?.quote)
  const { readiness, lookAgain } = useWalletReadiness(account, isPayable ? chain?.chainId : undefined)
  const { surveyed, refresh, readAgain } = useSurvey(
    isPayable ? readiness : WALLET_NOT_CHECKED,
    chain,
    account,
    order?.symbol ?? 'USDT',
  )
  const [busy, setBusy] = useState(false)
  const [objection, setObjection] = useState<string | null>(null)
  /** A ref, because a second tap can come before React has rendered the first. */
  const isBeginning = useRef(false)
  const terms = chain && order ? buildOrderPaymentTerms(order, chain) : null
  const survey = surveyed.kind === 'read' ? surveyed.survey : null
  const requests: readonly WalletRequest[] =
    survey && terms ? listRequests(survey, terms.units, { repeated: false, permits: true }) : ['approve', 'pay']
  const networkFee = useNetworkFee({
    readiness,
    surveyed,
    chain,
    // A payment that the wallet cannot make would revert, so it has no estimate.
    terms: survey && terms && survey.balance >= terms.units ? terms : null,
    requests,
  })

  /** Begins the payment. `announced` are the wallet requests that the member saw before the press. */
  async function pay(announced: readonly WalletRequest[] = requests): Promise<void> {
    if (!terms || isBeginning.current) return
    isBeginning.current = true
    setBusy(true)
    setObjection(null)
    try {
      const begun = await beginAnnouncedPayment(t, { terms, announced, refresh })
      if (begun.kind === 'objection') setObjection(begun.text)
    } finally {
      setBusy(false)
      isBeginning.current = false
    }
  }

  return {
    account,
    chain,
    pool,
    readiness,
    lookAgain,
    surveyed,
    readAgain,
    terms,
    requests,
    networkFee,
    busy,
    objection,
    pay,
  }
}

/** The terms come from the quote alone, because the vault accepts nothing else. */
function buildOrderPaymentTerms({ id, quote, symbol }: PayableOrder, chain: DataOf<'pool/chain'>): PaymentTerms | null {
  if (!quote) return null
  const { orderId, deadline, signature } = quote
  return {
    purpose: { kind: 'order', id, orderId: orderId as Hex, deadline, signature: signature as Hex },
    account: quote.payer as Address,
    chainId: chain.chainId,
    vault: chain.vault as Address,
    symbol,
    token: quote.token as Address,
    decimals: chain.tokens[symbol].decimals,
    units: BigInt(quote.amount),
    explorerUrl: chain.explorerUrl,
    finalityMinutes: chain.finalityMinutes,
  }
}
