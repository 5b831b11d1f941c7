import type { DataOf } from '@lode/wire'
import { useRef, useState } from 'react'
import type { Address, Hex } from 'viem'
import { type Payer, type Request, requestsFor } from '../../chain/payment/index.ts'
import { useText } from '../../shared/i18n/index.ts'
import { usePoolChain } from '../../shared/pool/index.ts'
import { beginAsTold, type PaymentTerms, usePayer, useSurvey } from '../payment/index.ts'
import type { PaidOrder } from './order.ts'

const NOBODY: Payer = { kind: 'looking' }

export type Paying = ReturnType<typeof usePaying>

/** The state behind the pay button: the chain's data and the press. Does nothing if there is no order to pay. */
export function usePaying(order: PaidOrder | undefined, account: string) {
  const t = useText()
  const pool = usePoolChain()
  const { chain } = pool
  const isPayable = Boolean(order?.quote)
  const { payer, lookAgain } = usePayer(account, isPayable ? chain?.chainId : undefined)
  const { surveyed, refresh, readAgain } = useSurvey(
    isPayable ? payer : NOBODY,
    chain,
    account,
    order?.symbol ?? 'USDT',
  )
  const [busy, setBusy] = useState(false)
  const [objection, setObjection] = useState<string | null>(null)
  /** A ref, because a second tap can come before React has rendered the first. */
  const begins = useRef(false)
  const terms = chain && order ? termsOf(order, chain) : null
  const survey = surveyed.kind === 'read' ? surveyed.survey : null
  const requests: readonly Request[] =
    survey && terms ? requestsFor(survey, terms.units, { repeated: false, permits: true }) : ['approve', 'pay']

  async function pay(): Promise<void> {
    if (!terms || begins.current) return
    begins.current = true
    setBusy(true)
    setObjection(null)
    try {
      const begun = await beginAsTold(t, { terms, told: requests, refresh })
      if (begun.kind === 'objection') setObjection(begun.text)
    } finally {
      setBusy(false)
      begins.current = false
    }
  }

  return {
    account,
    chain,
    pool,
    payer,
    lookAgain,
    surveyed,
    readAgain,
    terms,
    requests,
    busy,
    objection,
    pay,
  }
}

/** The terms come from the quote alone, because the vault accepts nothing else. */
function termsOf({ id, quote, symbol }: PaidOrder, chain: DataOf<'pool/chain'>): PaymentTerms | null {
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
