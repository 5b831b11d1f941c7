import type { Asset } from '@lode/kernel'
import type { RefusalCode } from '@lode/wire'
import { useQuery } from '@tanstack/react-query'
import type { TFunction } from 'i18next'
import { useRef, useState } from 'react'
import { read } from '../../shared/api/index.ts'
import { enteredAmount, formatAmount, wholeAmount, wrongAmountText } from '../../shared/format/index.ts'
import { useText } from '../../shared/i18n/index.ts'
import { usePoolChain, useTimelyRead } from '../../shared/pool/index.ts'
import type { Intent } from './intent.ts'
import { canonical, judgeAmount, type Limits, limitsOf, mostOf, type Terms, type WrongTransfer } from './limits.ts'

const REFRESH_MS = 30_000

/** Refreshed while it is shown, because other actions change balance and quota. */
export const useTerms = () =>
  useQuery({ ...read('transfer/terms', {}), meta: { quiet: true }, staleTime: 0, refetchInterval: REFRESH_MS })

/**
 * The transfer that the member is about to confirm: an amount, and the terms it was checked against. It does not change
 * while it is shown.
 */
export type Proposal = {
  readonly terms: Terms
  readonly limits: Limits
  readonly amount: bigint
}

export type TransferForm = ReturnType<typeof useTransferForm>

/** The input of the form, and its messages. */
export function useTransferForm(first: Asset) {
  const t = useText()
  /** Without the chain's data the amount cannot be parsed. */
  const pool = usePoolChain()
  const { chain } = pool
  const query = useTerms()
  const { isLate, readAgain } = useTimelyRead('transfer/terms', query)
  const [symbol, setSymbol] = useState(first)
  const [text, setText] = useState('')
  const [pressed, setPressed] = useState(false)
  /** The pool's refusal of this amount, if the app's own checks do not show it. */
  const [objection, setObjection] = useState<RefusalCode | null>(null)
  const input = useRef<HTMLInputElement>(null)

  const decimals = chain?.tokens[symbol].decimals
  const limits = query.data && limitsIn(query.data, symbol, decimals)
  const entered = decimals === undefined ? null : enteredAmount(symbol, decimals, text)
  const amount = entered?.ok ? entered.value : null
  const wrong = limits && amount !== null ? judgeAmount(limits, amount) : null
  const error: string | undefined =
    entered && !entered.ok
      ? pressed || text !== ''
        ? wrongAmountText(t, entered.error, symbol, decimals ?? 0)
        : undefined
      : limits && wrong
        ? wrongText(t, limits, wrong)
        : objection !== null
          ? t(`refusals.${objection}`)
          : undefined

  function write(next: string): void {
    setText(next)
    setPressed(false)
    setObjection(null)
  }

  return {
    query: {
      data: query.data,
      error: query.error,
      isPaused: query.isPaused,
      isFetching: query.isFetching,
      refetch: () => Promise.all([readAgain(), pool.readAgain()]),
    },
    /** The pool's terms are overdue. */
    isLate,
    pool,
    chain,
    terms: query.data,
    limits: limits ?? undefined,
    symbol,
    choose(next: Asset) {
      setSymbol(next)
      write('')
    },
    text,
    write,
    writeMax() {
      if (limits) write(canonical(limits, mostOf(limits)))
    },
    amount: error === undefined ? amount : null,
    error,
    object: setObjection,
    input,
    /** The proposal of an earlier press, if the current terms allow it. */
    proposeAgain({ symbol: again, amount: written }: Pick<Intent, 'symbol' | 'amount'>): Proposal | null {
      setSymbol(again)
      write(written)
      const places = chain?.tokens[again].decimals
      const bounds = query.data && limitsIn(query.data, again, places)
      const value = places === undefined ? null : enteredAmount(again, places, written)
      if (!query.data || !bounds || !value?.ok || judgeAmount(bounds, value.value)) return null
      return { terms: query.data, limits: bounds, amount: value.value }
    },
    /** The proposal to confirm. Null if the input is wrong; the field then shows why. */
    propose(): Proposal | null {
      setPressed(true)
      if (query.data && limits && amount !== null && wrong === null) return { terms: query.data, limits, amount }
      input.current?.focus()
      return null
    },
  }
}

export function limitsIn(terms: Terms, symbol: Asset, decimals: number | undefined): Limits | undefined {
  const found = terms.symbols.find((one) => one.symbol === symbol)
  return found && decimals !== undefined ? limitsOf(found, decimals) : undefined
}

/** All decimals, without trailing zeros. */
export const BARE = { least: 0, most: 36 }

export const figures = (limits: Limits, value: bigint): string => formatAmount(canonical(limits, value), BARE)

export const inWords = (limits: Limits, value: bigint): string => wholeAmount(canonical(limits, value), limits.symbol)

/** Longer than a line of a narrow phone. A number that breaks over two lines is misread. */
const TOO_LONG = 24

/** The button's label, with the amount if it fits. */
export const submitText = (t: TFunction, amount: string): string =>
  amount.length > TOO_LONG ? t('transfer.submitEmpty') : t('transfer.submit', { amount })

export const questionText = (t: TFunction, amount: string): string =>
  amount.length > TOO_LONG ? t('transfer.confirm.titleLong') : t('transfer.confirm.title', { amount })

function wrongText(t: TFunction, limits: Limits, wrong: WrongTransfer): string {
  switch (wrong) {
    case 'range':
      return t('transfer.range', { min: figures(limits, limits.min), max: figures(limits, limits.max) })
    case 'balance':
      return t('refusals.balance-insufficient')
    case 'quota':
      return t('refusals.quota-insufficient')
  }
}
