import { type Asset, formatAmount, units } from '@lode/kernel'
import type { DataOf } from '@lode/wire'
import { useRef, useState } from 'react'
import type { Address } from 'viem'
import { listRequests, type PaymentTerms, type Survey, type WalletRequest } from '../../chain/payment/index.ts'
import { parseEnteredAmount, wrongAmountText } from '../../shared/format/index.ts'
import { useText } from '../../shared/i18n/index.ts'
import { usePoolChain } from '../../shared/pool/index.ts'
import { amountText, beginAnnouncedPayment, useNetworkFee, useSurvey, useWalletReadiness } from '../payment/index.ts'

export type DepositForm = ReturnType<typeof useDepositForm>

/** The state of the form: the input, the chain's data, and the press of the button. */
export function useDepositForm(symbol: Asset, account: string, onBegun: (id: string, rejoined: boolean) => void) {
  const t = useText()
  const pool = usePoolChain()
  const { chain } = pool
  const { readiness, lookAgain } = useWalletReadiness(account, chain?.chainId)
  const { surveyed, refresh, readAgain } = useSurvey(readiness, chain, account, symbol)
  const survey = surveyed.kind === 'read' ? surveyed.survey : null
  const amount = useDepositAmount(symbol, chain?.tokens[symbol].decimals, survey)
  const { value, error } = amount
  const [busy, setBusy] = useState(false)
  /** A problem that is not about the amount. It is shown above the button. */
  const [objection, setObjection] = useState<string | null>(null)
  /** The member confirmed that this amount is paid in addition to an equal earlier payment. */
  const [isAdditional, setAdditional] = useState(false)
  /** A ref, because a second tap can come before React has rendered the first. */
  const isBeginning = useRef(false)
  const requests: readonly WalletRequest[] = survey
    ? listRequests(survey, value ?? 1n, { repeated: false, permits: true })
    : ['approve', 'pay']
  const terms = chain && value !== null && error === undefined ? buildDepositTerms(chain, account, symbol, value) : null
  const networkFee = useNetworkFee({ readiness, surveyed, chain, terms, requests })

  function write(next: string): void {
    amount.write(next)
    setObjection(null)
    setAdditional(false)
  }

  async function submit(): Promise<void> {
    amount.press()
    setObjection(null)
    if (!terms || !survey) return amount.input.current?.focus()
    if (isBeginning.current) return
    isBeginning.current = true
    setBusy(true)
    try {
      await begin(terms)
    } finally {
      isBeginning.current = false
      setBusy(false)
    }
  }

  async function begin(terms: PaymentTerms): Promise<void> {
    const begun = await beginAnnouncedPayment(t, { terms, announced: requests, refresh, isAdditional })
    if (begun.kind === 'unread') return
    if (begun.kind === 'objection') return setObjection(begun.text)
    setAdditional(false)
    onBegun(begun.id, begun.rejoined)
  }

  return {
    ...amount,
    symbol,
    account,
    chain,
    pool,
    readiness,
    lookAgain,
    surveyed,
    refresh,
    readAgain,
    write,
    writeAnother(next: string) {
      write(next)
      setAdditional(true)
    },
    writeMax: () => amount.most !== null && write(amount.most),
    isAdditional,
    requests,
    networkFee,
    objection,
    busy,
    submit,
  }
}

/** The input of the amount field, and what is wrong with it. */
function useDepositAmount(symbol: Asset, decimals: number | undefined, survey: Survey | null) {
  const t = useText()
  const [text, setText] = useState('')
  const [pressed, setPressed] = useState(false)
  const input = useRef<HTMLInputElement>(null)
  const entered = decimals === undefined ? null : parseEnteredAmount(symbol, decimals, text)
  const value = entered?.ok ? entered.value : null
  const readable = (amount: bigint) => amountText({ symbol, units: amount, decimals: decimals ?? 0 })
  const error =
    entered && !entered.ok && (pressed || text !== '')
      ? wrongAmountText(t, entered.error, symbol, decimals ?? 0)
      : survey && value !== null && value > survey.balance
        ? t('deposit.wrong.balance', { amount: readable(survey.balance) })
        : undefined
  return {
    input,
    text,
    value,
    error,
    readable,
    /** The wallet's whole balance; null while it is not known. */
    most: survey && decimals !== undefined ? formatAmount(units(symbol, survey.balance), decimals) : null,
    write(next: string): void {
      setText(next)
      setPressed(false)
    },
    /** From now on an empty field counts as an error. */
    press: () => setPressed(true),
  }
}

const buildDepositTerms = (
  chain: DataOf<'pool/chain'>,
  account: string,
  symbol: Asset,
  value: bigint,
): PaymentTerms => ({
  purpose: { kind: 'deposit' },
  account: account as Address,
  chainId: chain.chainId,
  vault: chain.vault as Address,
  symbol,
  token: chain.tokens[symbol].address as Address,
  decimals: chain.tokens[symbol].decimals,
  units: value,
  explorerUrl: chain.explorerUrl,
  finalityMinutes: chain.finalityMinutes,
})
